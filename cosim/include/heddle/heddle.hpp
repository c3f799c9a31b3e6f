/* SPDX-License-Identifier: Apache-2.0
 *
 * The host side for C++17: each handle of heddle/sim.h and heddle/driver.h as an object that gives it back, each error
 * as an exception. All else is reached through get(): the objects add nothing to the C functions.
 *
 *   heddle::board board("lockstep:sm");
 *   heddle::context context(board);
 *   heddle::module module(context, "scale.elf");
 *   heddle::buffer<float> x(context, 1000);
 *   x.write(numbers.data());
 *   module.function("scale").launch({8, 1, 1}, {128, 1, 1}, 0, x, 2.5f);
 *   x.read(numbers.data());                        // waits for the grid; throws its error
 *
 * Objects move and are not copied. Modules and buffers go before their context, a context before its board: as they do
 * where they are declared in that order. */
#ifndef HEDDLE_HEDDLE_HPP
#define HEDDLE_HEDDLE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <heddle/driver.h>
#include <heddle/module_ptx.h>
#include <heddle/program.h>
#include <heddle/sim.h>

namespace heddle {

/* what(): the driver's words where it has some, else those of the code. */
class error : public std::runtime_error {
public:
  error(heddle_error code, const std::string &words) : std::runtime_error(words), code_(code) {}
  heddle_error code() const noexcept { return code_; }

private:
  heddle_error code_;
};

namespace detail {
template <auto Destroy> struct destroyer {
  template <typename T> void operator()(T *handle) const noexcept { (void)Destroy(handle); }
};
template <typename T, auto Destroy> using handle = std::unique_ptr<T, destroyer<Destroy>>;

inline void check(heddle_error e, const heddle_context *c) {
  if (e == HEDDLE_SUCCESS) return;
  const std::string words = c ? heddle_context_message(c) : "";
  throw error(e, words.empty() ? heddle_error_text(e) : words);
}
} // namespace detail

/* A board, open, and its one device. */
class board {
public:
  /* As heddle_sim_open; nullptr: $HEDDLE_BOARD, else the model. */
  explicit board(const char *name = nullptr, const char *devices = nullptr) : board(named(name, devices)) {}
  explicit board(const heddle_sim_options &options) {
    heddle_message message;
    heddle_sim *s = nullptr;
    heddle_system *y = nullptr;
    const heddle_error e = heddle_sim_open(&options, &s, &message);
    if (e != HEDDLE_SUCCESS) throw error(e, message.text);
    sim_.reset(s);
    detail::check(heddle_init(heddle_sim_port(s), 1, &y), nullptr);
    system_.reset(y);
    detail::check(heddle_device_get(y, 0, &device_), nullptr);
  }

  heddle_device *get() const noexcept { return device_; }
  std::string name() const { return heddle_device_name(device_); }
  std::uint64_t attribute(heddle_attribute a) const {
    std::uint64_t value = 0;
    detail::check(heddle_device_attribute(device_, a, &value), nullptr);
    return value;
  }
  /* Message of the model, or of the checker in lockstep, about the last grid; "" if it ended well. */
  std::string diagnosis() const { return heddle_sim_diagnosis(sim_.get()); }

private:
  static heddle_sim_options named(const char *name, const char *devices) {
    heddle_sim_options o{};
    o.size = sizeof o;
    o.name = name;
    o.devices = devices;
    return o;
  }
  detail::handle<heddle_sim, heddle_sim_close> sim_;
  detail::handle<heddle_system, heddle_shutdown> system_;
  heddle_device *device_ = nullptr;
};

class context {
public:
  explicit context(const board &on) {
    heddle_context *c = nullptr;
    detail::check(heddle_context_create(on.get(), &c), nullptr);
    context_.reset(c);
  }
  heddle_context *get() const noexcept { return context_.get(); }
  void synchronize(std::uint32_t milliseconds = HEDDLE_FOREVER) const {
    detail::check(heddle_synchronize(get(), milliseconds), get());
  }
  /* Statistics of the last grid that ended. */
  heddle_statistics statistics() const {
    heddle_statistics s{};
    detail::check(heddle_statistics_last(get(), &s), get());
    return s;
  }
  /* Trap of the last one that trapped. */
  heddle_trap_info trap() const {
    heddle_trap_info t{};
    detail::check(heddle_trap_last(get(), &t), get());
    return t;
  }

private:
  detail::handle<heddle_context, heddle_context_destroy> context_;
};

/* Elements of T in the device's memory. */
template <typename T> class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");

public:
  buffer(const context &c, std::size_t count) : context_(c.get()), count_(count) {
    if (count > SIZE_MAX / sizeof(T)) throw error(HEDDLE_ERROR_OUT_OF_MEMORY, "a buffer's bytes overflow");
    detail::check(heddle_mem_alloc(context_, count * sizeof(T), &address_), context_);
  }
  ~buffer() { (void)heddle_mem_free(context_, address_); }
  buffer(buffer &&from) noexcept : context_(from.context_), address_(from.address_), count_(from.count_) {
    from.address_ = 0;
  }
  buffer &operator=(buffer &&from) noexcept {
    std::swap(context_, from.context_);
    std::swap(address_, from.address_);
    std::swap(count_, from.count_);
    return *this;
  }

  std::uint64_t address() const noexcept { return address_; }
  std::size_t size() const noexcept { return count_; }
  /* All elements. */
  void write(const T *from) const {
    detail::check(heddle_memcpy_to_device(context_, address_, from, count_ * sizeof(T)), context_);
  }
  void read(T *to) const { detail::check(heddle_memcpy_to_host(context_, to, address_, count_ * sizeof(T)), context_); }

private:
  heddle_context *context_;
  std::uint64_t address_ = 0;
  std::size_t count_;
};

/* A kernel; its module's. */
class function {
public:
  function(heddle_context *c, heddle_function *f, const heddle_kernel *k) : context_(c), function_(f), kernel_(k) {}
  heddle_function *get() const noexcept { return function_; }
  /* Values in the kernel's order, each of its parameter's size; buffers as their addresses. Returns at once. */
  template <typename... A>
  void launch(heddle_size grid, heddle_size block, std::uint32_t shared, const A &...arguments) const {
    launch_values(grid, block, shared, value_of(arguments)...);
  }

private:
  template <typename T> static std::uint64_t value_of(const buffer<T> &b) { return b.address(); }
  template <typename T> static T value_of(const T &v) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "no value of the device");
    return v;
  }
  template <typename... V> void launch_values(heddle_size grid, heddle_size block, std::uint32_t shared, V... v) const {
    void *params[] = {&v..., nullptr};
    const std::size_t sizes[] = {sizeof v..., 0};
    if (sizeof...(v) != kernel_->params) throw wrong("takes " + std::to_string(kernel_->params) + " arguments");
    for (std::uint32_t i = 0; i < kernel_->params; i++)
      if (sizes[i] != kernel_->param[i].size)
        throw wrong("takes " + std::to_string(kernel_->param[i].size) + " bytes as argument " + std::to_string(i));
    detail::check(heddle_function_launch(function_, grid, block, shared, params), context_);
  }
  error wrong(const std::string &words) const {
    return {HEDDLE_ERROR_INVALID_VALUE, std::string(kernel_->name) + " " + words};
  }
  heddle_context *context_;
  heddle_function *function_;
  const heddle_kernel *kernel_;
};

class module {
public:
  /* An ELF file. */
  module(const context &c, const std::string &path) : module(c.get()) {
    heddle_module *m = nullptr;
    detail::check(heddle_module_load(context_, path.c_str(), &m), context_);
    module_.reset(m);
  }
  /* PTX text, for the device that is there; `name` is the file in messages. */
  static module from_ptx(const context &c, const std::string &text, const std::string &name = "ptx") {
    module made(c.get());
    heddle_module *m = nullptr;
    detail::check(heddle_module_load_ptx(c.get(), text.data(), text.size(), name.c_str(), nullptr, &m), c.get());
    made.module_.reset(m);
    return made;
  }
  heddle_module *get() const noexcept { return module_.get(); }
  heddle::function function(const std::string &name) const {
    heddle_function *f = nullptr;
    detail::check(heddle_module_function(get(), name.c_str(), &f), context_);
    return {context_, f, heddle_program_kernel(heddle_module_program(get()), name.c_str())};
  }

private:
  explicit module(heddle_context *c) : context_(c) {}
  heddle_context *context_;
  detail::handle<heddle_module, heddle_module_unload> module_;
};

} // namespace heddle

#endif
