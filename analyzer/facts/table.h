#pragma once
// Lists whose elements have ids.

#include <cstddef>
#include <utility>
#include <vector>

#include "analyzer/facts/ids.h"

namespace xfer::analyzer {

/// The ids of all elements of a list, in order.
template <class Key>
class Ids {
 public:
  class iterator {
   public:
    explicit iterator(std::size_t number) : number_(number) {}
    Key operator*() const { return Key(number_); }
    iterator& operator++() {
      ++number_;
      return *this;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    std::size_t number_;
  };

  explicit Ids(std::size_t size) : size_(size) {}
  iterator begin() const { return iterator(0); }
  iterator end() const { return iterator(size_); }

 private:
  std::size_t size_;
};

/// A list whose elements are named by `Key`: its element of number 0 comes first.
template <class Key, class Element, class List = std::vector<Element>>
class Table {
 public:
  Table() = default;
  explicit Table(std::size_t size, const Element& element = {}) : list_(size, element) {}

  decltype(auto) operator[](Key id) { return list_[id.number()]; }
  decltype(auto) operator[](Key id) const { return list_[id.number()]; }
  bool has(Key id) const { return id.number() < list_.size(); }

  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  auto begin() { return list_.begin(); }
  auto end() { return list_.end(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  Ids<Key> ids() const { return Ids<Key>(list_.size()); }

  /// Of an element of this list.
  Key id_of(const Element& element) const {
    return Key(static_cast<std::size_t>(&element - list_.data()));
  }

  /// Adds an element; returns its id.
  Key add(Element element) {
    list_.push_back(std::move(element));
    return Key(list_.size() - 1);
  }
  void resize(std::size_t size) { list_.resize(size); }
  void assign(std::size_t size, const Element& element) { list_.assign(size, element); }

  friend bool operator==(const Table&, const Table&) = default;

  /// For what stores it.
  List& list() { return list_; }

 private:
  List list_;
};

}  // namespace xfer::analyzer
