// Textures and surfaces: what an instruction asks for goes into a structure that a service reads.

#include <llvm/IR/Constants.h>

#include <array>
#include <optional>
#include <utility>

#include "kernels/frame.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using ptx::Operand;

/// Memory of this instruction alone, so that many of them share the same.
class Room {
 public:
  Room(Emitter& e, std::size_t bytes)
      : e_(e), place_(e.scratch(llvm::ArrayType::get(e.integer(8), bytes))) {
    e.ir().CreateLifetimeStart(place_);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { e_.ir().CreateLifetimeEnd(place_); }

  llvm::Value* place() const { return place_; }
  void set(std::size_t offset, llvm::Value* value) { e_.ir().CreateStore(value, at(offset)); }
  llvm::Value* get(std::size_t offset, unsigned bits) {
    return e_.ir().CreateLoad(e_.integer(bits), at(offset));
  }

 private:
  llvm::Value* at(std::size_t offset) {
    return e_.ir().CreateConstGEP1_64(e_.integer(8), place_, offset);
  }

  Emitter& e_;
  llvm::AllocaInst* place_;
};

template <typename T>
using Names = std::initializer_list<std::pair<std::string_view, T>>;

template <typename T>
std::optional<T> named(const Form& form, Names<T> names) {
  for (const auto& [name, what] : names)
    if (form.has(name)) return what;
  return std::nullopt;
}

template <typename T>
T known(const Form& form, Names<T> names) {
  if (const auto found = named(form, names)) return *found;
  form.refuse("cannot be run");
}

struct Shape {
  Geometry geometry;
  unsigned coordinates;
  bool layered;
};

Shape shape_of(const Form& form) {
  return known<Shape>(form, {{"1d", {Geometry::k1D, 1, false}},
                             {"2d", {Geometry::k2D, 2, false}},
                             {"3d", {Geometry::k3D, 3, false}},
                             {"a1d", {Geometry::k1DLayered, 1, true}},
                             {"a2d", {Geometry::k2DLayered, 2, true}},
                             {"cube", {Geometry::kCube, 3, false}},
                             {"acube", {Geometry::kCubeLayered, 3, true}}});
}

/// The object in `[object, {x, y}]`.
llvm::Value* object_of(Emitter& e, const Form& form, std::size_t n) {
  const Operand& operand = form.operand(n);
  if (!operand.is(Operand::Kind::kAddress) || operand.parts.empty() || operand.parts.size() > 2 ||
      !operand.parts[0].is(Operand::Kind::kRegister))
    form.refuse("of other than an object cannot be run");
  return e.read(operand.parts[0], 64);
}

/// The elements of `{a, b}`, or the operand itself.
std::vector<Operand> elements_of(const Operand& operand) {
  return operand.is(Operand::Kind::kVector) ? operand.parts : std::vector{operand};
}

/// Sets the fields that the structures of textures and of surfaces share: the place to look at.
template <typename Structure>
void set_place(Emitter& e, const Form& form, std::size_t n, Room& room) {
  const Shape shape = shape_of(form);
  const Operand& operand = form.operand(n);
  if (operand.parts.size() != 2) form.refuse("lacks coordinates");
  const std::vector<Operand> given = elements_of(operand.parts[1]);
  const std::size_t first = shape.layered ? 1 : 0;
  if (given.size() < first + shape.coordinates) form.refuse("lacks coordinates");
  room.set(offsetof(Structure, geometry),
           e.constant(32, static_cast<std::uint32_t>(shape.geometry)));
  room.set(offsetof(Structure, layer), shape.layered ? e.read(given[0], 32) : e.constant(32, 0));
  for (std::size_t i = 0; i < 3; ++i)
    room.set(offsetof(Structure, coordinates) + i * 4,
             i < shape.coordinates ? e.read(given[first + i], 32) : e.constant(32, 0));
}

/// `.level` and `.grad`: what is behind the coordinates.
void set_level(Emitter& e, const Form& form, bool integers, Room& room) {
  auto& ir = e.ir();
  llvm::Value* level = e.constant(32, 0);
  if (form.has("level")) {
    level = e.read(form.operand(2), 32);
    if (integers) level = ir.CreateSIToFP(level, ir.getFloatTy());
  }
  room.set(offsetof(TextureRead, level), level);
  room.set(offsetof(TextureRead, has_gradients), e.constant(32, form.has("grad") ? 1 : 0));
  if (!form.has("grad")) return;
  const std::size_t at[] = {offsetof(TextureRead, along_x), offsetof(TextureRead, along_y)};
  for (std::size_t which = 0; which < 2; ++which) {
    const std::vector<Operand> given = elements_of(form.operand(2 + which));
    for (std::size_t i = 0; i < 3; ++i)
      room.set(at[which] + i * 4, i < given.size() ? e.read(given[i], 32) : e.constant(32, 0));
  }
}

void emit_read(Emitter& e, const Form& form, std::uint32_t component) {
  const Operand& results = form.operand(0);
  const std::size_t operands = form.has("grad") ? 4 : form.has("level") ? 3 : 2;
  if (form.operand_count() != operands) form.refuse("with an offset or a depth cannot be run");
  if (form.type().bits != 32 || !results.is(Operand::Kind::kVector) || results.parts.size() != 4)
    form.refuse("cannot be run");
  const bool integers = is_signed(form.type(1));
  Room request(e, sizeof(TextureRead));
  Room texel(e, 16);
  request.set(offsetof(TextureRead, texture), object_of(e, form, 1));
  request.set(offsetof(TextureRead, integers), e.constant(32, integers ? 1 : 0));
  request.set(offsetof(TextureRead, component), e.constant(32, component));
  set_place<TextureRead>(e, form, 1, request);
  set_level(e, form, integers, request);
  e.service(offsetof(Services, read_texture), e.ir().getVoidTy(), {request.place(), texel.place()});
  for (std::size_t i = 0; i < 4; ++i) e.write(results.parts[i], texel.get(i * 4, 32));
}

/// suld and sust, of the bytes as they are.
class SurfaceForm {
 public:
  SurfaceForm(Emitter& e, const Form& form, std::size_t address, std::size_t elements)
      : elements_(elements_of(form.operand(elements))),
        bits_(form.type().bits),
        access_(e, sizeof(SurfaceAccess)),
        texel_(e, 16) {
    using Outside = SurfaceAccess::Outside;
    if (!form.has("b") || elements_.size() != form.vector() || bits_ * elements_.size() > 128)
      form.refuse("cannot be run");
    const Outside outside = known<Outside>(
        form, {{"trap", Outside::kTrap}, {"clamp", Outside::kClamp}, {"zero", Outside::kZero}});
    access_.set(offsetof(SurfaceAccess, surface), object_of(e, form, address));
    access_.set(offsetof(SurfaceAccess, outside),
                e.constant(32, static_cast<std::uint32_t>(outside)));
    access_.set(offsetof(SurfaceAccess, bytes), e.constant(32, bits_ / 8 * elements_.size()));
    set_place<SurfaceAccess>(e, form, address, access_);
  }

  void load(Emitter& e) {
    ask(e, offsetof(Services, read_surface));
    for (std::size_t i = 0; i < elements_.size(); ++i)
      e.write(elements_[i], texel_.get(i * bits_ / 8, bits_));
  }
  void store(Emitter& e) {
    for (std::size_t i = 0; i < elements_.size(); ++i)
      texel_.set(i * bits_ / 8, e.read(elements_[i], bits_));
    ask(e, offsetof(Services, write_surface));
  }

 private:
  void ask(Emitter& e, std::size_t service) {
    e.service(service, e.ir().getVoidTy(), {access_.place(), texel_.place()});
  }

  std::vector<Operand> elements_;
  unsigned bits_;
  Room access_, texel_;
};

}  // namespace

void emit_tex(Emitter& e, const Form& form) { emit_read(e, form, TextureRead::kEvery); }

void emit_tld4(Emitter& e, const Form& form) {
  emit_read(e, form, known<std::uint32_t>(form, {{"r", 0}, {"g", 1}, {"b", 2}, {"a", 3}}));
}

void emit_suld(Emitter& e, const Form& form) { SurfaceForm(e, form, 1, 0).load(e); }

void emit_sust(Emitter& e, const Form& form) { SurfaceForm(e, form, 0, 1).store(e); }

void emit_query(Emitter& e, const Form& form) {
  const auto what = known<ImageQuery>(form, {{"width", ImageQuery::kWidth},
                                             {"height", ImageQuery::kHeight},
                                             {"depth", ImageQuery::kDepth},
                                             {"array_size", ImageQuery::kLayers},
                                             {"num_mipmap_levels", ImageQuery::kLevels},
                                             {"normalized_coords", ImageQuery::kNormalized}});
  std::vector<llvm::Value*> arguments{object_of(e, form, 1),
                                      e.constant(32, static_cast<std::uint32_t>(what))};
  std::size_t service = offsetof(Services, query_surface);
  if (form.instruction().operation == "txq") {
    service = offsetof(Services, query_texture);
    arguments.push_back(form.has("level") ? e.read(form.operand(2), 32) : e.constant(32, 0));
  }
  e.write(form.operand(0), e.service(service, e.integer(32), std::move(arguments)));
}

}  // namespace xfer::kernels
