/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules, functions and statements as the parser sees them; every text is also printed and read again. And
 * all PTX files of the tree.
 */
#include "tests/test.h"
#include "tests/compiler/parse/parsed.h"

#include <dirent.h>

static void test_module(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_module *m =
      parsed_fine(&p, "//\n// Generated\n//\n\n.version 6.3\n.target sm_70, debug\n.address_size 64\n.file 1 "
                      "\"/a/b.cl\"\n.file 2 \"b.h\", 1234, 56 .file 3 \"/a\" \"c.h\"\n"
                      ".pragma \"one\", \"two\";\n.global .u32 x;;\n.entry k() { ret; }\n.section .debug_str { "
                      "$L__info_string0: .b8 95, -1 {.b8 $L__a-$L__b} }\n"
                      ".section .debug_loc { }\n.shared .u32 y;");
  assert_int_equal(m->version, 63);
  assert_string_equal(m->target, "sm_70");
  assert_int_equal(m->address_size, 64);
  assert_string_equal(m->file, "test.ptx");
  assert_ptr_equal(m->arena, p.arena);
  assert_string_equal(m->variables->name, "x");
  assert_string_equal(m->variables->next->name, "y");
  assert_string_equal(m->functions->name, "k");
  assert_int_equal(m->functions->pos.line, 12);
  assert_int_equal(m->functions->pos.column, 8);
  assert_null(m->functions->next);
  parsed_free(&p);
}

static void test_other_versions(void **state) {
  (void)state;
  struct parsed p;
  parsed_fine(&p, ".version 6.0 .target sm_90a .address_size 64");
  assert_int_equal(p.messages, 0);
  parsed_free(&p);
  assert_non_null(parsed_text(&p, ".version 3.2\n.target sm_20 .address_size 64"));
  assert_int_equal(p.messages, 1);
  assert_true(p.message[0].warning);
  assert_string_equal(p.message[0].text, "PTX 3.2 is read as if it were of 6.0 to 8.0");
  parsed_free(&p);
}

static void test_kernel_header(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_function *f =
      parsed_fine(&p, HEAD ".visible .entry k(\n\t.param .u64 .ptr .global .align 4 k_param_0,\n\t.param .align 16 .b8 "
                           "k_param_1[48], .param .u32 k_param_2,\n"
                           ".param .u64 .ptr k_param_3, .param .u64 .ptr .align 8 k_param_4)\n.maxntid 256, "
                           "2\n.reqntid 8,4,1 .minnctapersm 2 .maxnctapersm 4 .maxnreg 32\n"
                           ".pragma \"nounroll\"; {\nret; }\n.weak .entry e;")
          ->functions;
  assert_true(f->entry && !f->declaration);
  assert_string_equal(f->name, "k");
  assert_int_equal(f->maxntid[0], 256);
  assert_int_equal(f->maxntid[1], 2);
  assert_int_equal(f->maxntid[2], 1);
  assert_int_equal(f->reqntid[0], 8);
  assert_int_equal(f->reqntid[1], 4);
  assert_int_equal(f->reqntid[2], 1);
  assert_int_equal(f->maxnreg, 32);
  const struct ptx_variable *v = f->parameters;
  assert_string_equal(v->name, "k_param_0");
  assert_true(v->space == PTX_PARAM && v->type == PTX_U64 && v->align == 8 && v->ptr_space == PTX_GLOBAL &&
              v->ptr_align == 4);
  v = v->next;
  assert_true(v->array && v->elements == 48 && v->bytes == 48 && v->align == 16 && v->type == PTX_B8);
  v = v->next->next;
  assert_true(v->ptr_space == PTX_GENERIC && v->ptr_align == 0);
  v = v->next;
  assert_true(v->ptr_space == PTX_GENERIC && v->ptr_align == 8 && v->align == 8 && v->next == NULL);
  assert_true(f->next->entry && f->next->declaration && f->next->body == NULL);
  parsed_free(&p);
}

static void test_function_header(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_function *f =
      parsed_fine(&p, HEAD ".extern .func  (.param .b32 func_retval0) get_id\n(\n\t.param .b32 "
                           "get_id_param_0\n)\n;\n.func die() .noreturn ;\n.visible .func plain { ret; }\n"
                           ".func (.reg .u32 r, .reg .pred q) two(.reg .f32 a, .param .align 8 .b8 b[24]) { ret; "
                           "}\n.func () none () { }")
          ->functions;
  assert_true(!f->entry && f->declaration);
  assert_string_equal(f->results->name, "func_retval0");
  assert_string_equal(f->parameters->name, "get_id_param_0");
  f = f->next;
  assert_true(f->declaration && f->results == NULL && f->parameters == NULL);
  f = f->next;
  assert_string_equal(f->name, "plain");
  assert_false(f->declaration);
  f = f->next;
  assert_int_equal(f->results->space, PTX_REG);
  assert_int_equal(f->results->next->type, PTX_PRED);
  assert_int_equal(f->parameters->next->bytes, 24);
  assert_null(f->next->body->statements);
  parsed_free(&p);
}

static void expect_words(const struct ptx_statement *s, const char *text) {
  char all[256] = "";
  for (unsigned i = 0; i < s->words; i++) {
    if (i > 0) strcat(all, ".");
    strcat(all, s->word[i]);
  }
  assert_int_equal(s->kind, PTX_INSTRUCTION);
  assert_string_equal(all, text);
}

static void test_instructions(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_statement *s =
      parsed_body(&p, "ret;\n  setp.lt.and.f32 %p1|%q, %f1, 0f00000000, !%p2;\n@%p1 bra LBB0_1;\n@!%p1 bra.uni L;\n"
                      "ld .global .v2.u32 {%r1, _}, [%rd1+8];\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                      "{a,b,c,d}, {e,f,g,h}, {i,j}, {a,b,c,d};");
  expect_words(s, "ret");
  assert_true(s->guard == NULL && s->operands == 0);
  assert_int_equal(s->pos.line, 2);
  assert_int_equal(s->pos.column, 1);
  s = s->next;
  expect_words(s, "setp.lt.and.f32");
  assert_int_equal(s->operands, 4);
  assert_int_equal(s->pos.line, 3);
  assert_int_equal(s->pos.column, 3);
  assert_int_equal(s->operand[3].pos.column, 44);
  s = s->next;
  expect_words(s, "bra");
  assert_string_equal(s->guard, "%p1");
  assert_false(s->guard_invert);
  assert_int_equal(s->pos.column, 6);
  assert_ptr_equal(s->guard, p.module->functions->body->statements->next->operand[0].element[0].name); /* interned */
  s = s->next;
  expect_words(s, "bra.uni");
  assert_true(s->guard_invert);
  s = s->next;
  expect_words(s, "ld.global.v2.u32");
  s = s->next;
  expect_words(s, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  assert_int_equal(s->operands, 4);
  assert_null(s->next);
  parsed_free(&p);
}

static void test_labels(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_statement *s =
      parsed_body(&p, "a: b:\n ts: .branchtargets L1, L2, L3;\ncs : .calltargets f, g;\nbrx.idx %r1, ts;\n"
                      "proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) "
                      ".noreturn;\nq: .callprototype ()_ ();\nr: .callprototype _;\nend:");
  assert_true(s->kind == PTX_LABEL && s->pos.line == 2 && s->pos.column == 1);
  assert_string_equal(s->name, "a");
  s = s->next;
  assert_string_equal(s->name, "b");
  s = s->next;
  assert_int_equal(s->kind, PTX_BRANCH_TARGETS);
  assert_string_equal(s->name, "ts");
  assert_true(s->operands == 1 && s->operand[0].kind == PTX_OP_LIST && s->operand[0].elements == 3);
  assert_string_equal(s->operand[0].element[2].name, "L3");
  s = s->next;
  assert_int_equal(s->kind, PTX_CALL_TARGETS);
  assert_int_equal(s->operand[0].elements, 2);
  s = s->next->next;
  assert_int_equal(s->kind, PTX_CALL_PROTOTYPE);
  assert_string_equal(s->name, "proto");
  assert_int_equal(s->prototype->results->type, PTX_B32);
  assert_int_equal(s->prototype->parameters->next->bytes, 16);
  s = s->next;
  assert_true(s->prototype->results == NULL && s->prototype->parameters == NULL);
  s = s->next->next;
  assert_string_equal(s->name, "end");
  assert_null(s->next);
  parsed_free(&p);
}

static void test_many_targets(void **state) {
  (void)state;
  struct parsed p;
  char *text = malloc(200000);
  size_t n = (size_t)sprintf(text, KERNEL "ts: .branchtargets L0");
  for (unsigned i = 1; i < 10000; i++) n += (size_t)sprintf(text + n, ",L%u", i);
  strcpy(text + n, ";}");
  const struct ptx_statement *s = parsed_fine(&p, text)->functions->body->statements;
  assert_int_equal(s->operand[0].elements, 10000);
  assert_string_equal(s->operand[0].element[9999].name, "L9999");
  parsed_free(&p);
  free(text);
}

static void test_blocks(void **state) {
  (void)state;
  struct parsed p;
  const struct ptx_statement *s =
      parsed_body(&p, ".reg .b32 %r<2>;\n{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n.param .b64 "
                      "param0;\nst.param.b64 [param0+0], %rd1;\n{ ret; }\n} // callseq 0\n"
                      ".loc 1 2 3\n.loc 1 2 3, function_name $L__info_string0, inlined_at 1 4 5\n.loc 2 4 58, "
                      "function_name .debug_str + 0, inlined_at 1 7 3\n"
                      ".pragma \"nounroll\";\n.file 4 \"x.h\"\n;exit;");
  const struct ptx_scope *outer = p.module->functions->body;
  assert_int_equal(s->kind, PTX_BLOCK);
  assert_ptr_equal(s->scope->outer, outer);
  assert_string_equal(s->scope->variables->name, "temp_param_reg");
  assert_int_equal(s->scope->variables->next->space, PTX_PARAM);
  expect_words(s->scope->statements, "st.param.b64");
  assert_ptr_equal(s->scope->statements->next->scope->outer, s->scope);
  expect_words(s->next, "exit");
  assert_null(s->next->next);
  assert_null(outer->outer);
  parsed_free(&p);
}

static void check_file(const char *path) {
  struct parsed p;
  char *text = NULL;
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, 0, SEEK_END), 0);
  const long size = ftell(f);
  rewind(f);
  text = calloc(1, (size_t)size + 1);
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  fclose(f);
  const struct ptx_module *m = parsed_fine(&p, text);
  assert_non_null(m->functions);
  assert_int_equal(p.messages, 0);
  parsed_free(&p);
  free(text);
}

static unsigned check_folder(const char *folder) {
  unsigned n = 0;
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char path[1024];
    const size_t length = strlen(e->d_name);
    if (length < 4 || strcmp(e->d_name + length - 4, ".ptx") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check_file(path);
    n++;
  }
  closedir(d);
  return n;
}

static void test_files(void **state) {
  (void)state;
  assert_int_equal(check_folder(SILICON_DIR "/kernels"), 8);
  assert_true(check_folder(OPS_DIR) >= 380);
  assert_true(check_folder(SILICON_DIR "/../fuzz/seeds/ptx") >= 1);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_module),        cmocka_unit_test(test_other_versions),
      cmocka_unit_test(test_kernel_header), cmocka_unit_test(test_function_header),
      cmocka_unit_test(test_instructions),  cmocka_unit_test(test_labels),
      cmocka_unit_test(test_many_targets),  cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
