#pragma once
// A translation unit as facts: its functions, and the classes and fields that they speak of. All
// that the analysis needs; plain values, nothing of the unit's AST.

#include <compare>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/pointer_use.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// A class that several units see: two programs may have different ones of one name.
struct ClassKey {
  std::string name;
  std::string file;  ///< that defines it
  unsigned line = 0;

  friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
};

struct Class {
  std::string name;
  std::optional<ClassKey> key;  ///< none: only this unit sees it
  std::string identity;         ///< as Function::identity
  bool library = false;
  bool module = false;
  bool container = false;        ///< of modules, or made of one: its forward is that of its parts
  bool every_body_here = false;  ///< whoever changes a field of it is in this unit
  const FunctionModel* forward_model = nullptr;  ///< of a library's class
  FunctionId forward;                            ///< its own; none: it has none, or several
  std::vector<ClassId> bases;
  std::vector<FieldId> fields;
  std::vector<FunctionId> constructors;
  std::vector<FunctionId> elsewhere;  ///< methods without a body here
};

/// The changes to a field in the code of a unit.
struct FieldChanges {
  std::vector<FunctionId> methods;  ///< assigned, or moved, through `this`
  bool constructed = false;         ///< a constructor gives it a value
  bool otherwise = false;           ///< by others, or in ways not followed
  bool replaced = false;  ///< it may be given a value outside the constructors: no mere move
  bool unseen = false;    ///< ... or by code of which the facts do not tell

  bool none() const { return methods.empty() && !otherwise; }
};

/// Of a class, or a variable that outlives every call: a field that the program has, as it were.
struct Field {
  std::string name;
  ValueType type;
  ClassId object;  ///< the class of what it holds or points to
  ClassId owner;
  std::optional<std::uint32_t> part;  ///< of a library's tuple: which part of it
  bool registered = false;            ///< a module's field that register_* made a part of it
  bool unreadable = false;            ///< named in a statement that did not parse
  bool library = false;               ///< of a library's class
  bool open = false;                  ///< a header's public field: any unit's to change
  bool starts_empty =
      false;                 ///< an object of the class holds no module there until it is given one
  bool may_be_cuda = false;  ///< a device: some run has CUDA in it
  bool global = false;       ///< a variable: of no class
  std::string defined_at;    ///< of a variable: as Function::defined_at; empty: elsewhere
  std::string identity;      ///< of a variable: as Function::identity
  FieldChanges changes;
};

/// The value of a parameter where a call gives none.
struct DefaultArgument {
  enum class Kind : std::uint8_t {
    kUnknown,  ///< it has none, or one of which nothing is known
    kDevice,
    kNoModule,
    kLibraryModule,  ///< a library's module that is made without arguments
  };
  Kind kind = Kind::kUnknown;
  Device device;
  FunctionId function;  ///< that it is, or that its object runs
};

struct Parameter {
  Role role = Role::kNone;
  ClassId object;  ///< the class of what it is, holds or points to
  DefaultArgument by_default;
};

/// A plain value that a function puts into a field of its own object.
struct Setting {
  ClassId owner;
  std::string field;
  GivenValue given;
};

struct Function {
  std::string qualified_name;  ///< as people write it
  /// Under which other units can call what is defined here, or may define what has no body here;
  /// empty: they cannot.
  std::string link_name;
  /// The same in all units of a program that have it, also where each has a definition of its own;
  /// empty: no other unit has it.
  std::string identity;
  bool expected = false;   ///< it has no body here, is called, and the project declares it
  std::string defined_at;  ///< the place of a definition that others may know, by file and line
  bool defined = false;    ///< it has a body here
  std::vector<ParameterUse> kernel;  ///< of a kernel that has a body here: by parameter
  ClassId owner;                     ///< whose method it is
  ClassId object;  ///< the class of `this`; of a lambda, of the object that it captured
  bool instance = false;
  bool is_virtual = false;
  bool lambda = false;
  /// It is none, but stands for all that a call may run which names no function: those override it.
  bool stands_in = false;
  bool open = false;             ///< of such: there may be others that nobody knows
  bool given_away = false;       ///< to code that is not followed: anybody may call it
  bool captures_object = false;  ///< a lambda: something besides variables
  bool constructor = false;
  bool copies = false;           ///< a copy or move constructor, or one that is deleted
  bool made_of_nothing = false;  ///< a default constructor that the compiler wrote
  bool in_scope = false;         ///< findings are wanted of it
  bool device_too = false;       ///< devices run it as well: what calls it need not be host code
  /// Somewhere else in its unit, or in ways not followed, the current CUDA device is set.
  bool current_device_changes = false;
  std::uint32_t declared = 0;            ///< how many of the parameters a call is written with
  std::vector<Parameter> parameters;     ///< what a lambda captured follows what is declared
  std::vector<FunctionId> overrides;     ///< methods of its class's bases that a call may name
  const FunctionModel* model = nullptr;  ///< of a call with one argument
  Deciders deciding;                     ///< what decides about a device in it
  std::vector<Setting> settings;         ///< of fields that may decide about devices
  /// Null: it has no body here, no usable CFG, or more blocks than the cap.
  std::unique_ptr<FunctionFacts> facts;
};

/// A file that spots speak of.
struct SourceFile {
  std::string name;  ///< as the compiler tells it
  std::string path;  ///< to edit; empty: it is no file
  std::string text;
};

struct Unit {
  Unit() = default;
  Unit(Unit&&) = default;
  Unit& operator=(Unit&&) = default;

  // 0 of each names nothing; a field's number counts from 0.
  std::deque<Function> functions = std::deque<Function>(1);
  std::deque<Class> classes = std::deque<Class>(1);
  Table<FieldId, Field, std::deque<Field>> fields;
  std::deque<SourceFile> files = std::deque<SourceFile>(1);
  std::vector<FunctionId> order;  ///< the functions of the code that is looked at, as it stands
  bool peers = false;             ///< it lets devices follow each other's memory
  bool shares_memory = false;     ///< it asks for memory that the host and devices follow
  bool follows_memory = false;    ///< it uses the CUDA runtime: pointers to data are followed
  bool incomplete = false;        ///< some of it did not parse
  bool tests = false;             ///< it sees a framework for tests
  std::string folder;             ///< of its file, as places of definitions are told
  Device default_place;  ///< where new tensors and modules are made for which nothing says a place
  /// The rows of annotations for functions: some models point into them.
  std::vector<std::unique_ptr<FunctionModel>> annotated;
  std::vector<Note> faults;  ///< annotations that are not understood

  const Function& operator[](FunctionId id) const { return functions[id.number()]; }
  const Class& operator[](ClassId id) const { return classes[id.number()]; }
  const SourceFile& operator[](FileId id) const { return files[id.number()]; }
};

}  // namespace xfer::analyzer
