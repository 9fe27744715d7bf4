// OrderedDict: named values in the order in which they were registered; what named_parameters() and
// its kin return.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tensorlib {

template <class Key, class Value>
class OrderedDict {
 public:
  class Item {
   public:
    Item(Key key, Value value) : key_(std::move(key)), value_(std::move(value)) {}
    const Key& key() const { return key_; }
    Value& value() { return value_; }
    const Value& value() const { return value_; }
    const Value& operator*() const { return value_; }
    const Value* operator->() const { return &value_; }

   private:
    Key key_;  // not const: erase() moves items
    Value value_;
  };

  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  OrderedDict() = default;
  // {{"fc", value}, {"head", value}}
  OrderedDict(std::initializer_list<Item> items) {
    for (const Item& item : items) insert(item.key(), item.value());
  }

  Value& insert(Key key, Value value) {
    if (contains(key)) throw std::invalid_argument("OrderedDict: the key is there already");
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  void clear() { items_.clear(); }
  void erase(const Key& key) {
    for (auto item = items_.begin(); item != items_.end(); ++item) {
      if (item->key() != key) continue;
      items_.erase(item);
      return;
    }
    throw std::out_of_range("OrderedDict: no such key");
  }
  Value* find(const Key& key) {
    for (Item& item : items_) {
      if (item.key() == key) return &item.value();
    }
    return nullptr;
  }
  const Value* find(const Key& key) const { return const_cast<OrderedDict*>(this)->find(key); }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  Value& operator[](const Key& key) { return at(key); }
  const Value& operator[](const Key& key) const { return const_cast<OrderedDict*>(this)->at(key); }

  size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  Iterator begin() { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator begin() const { return items_.begin(); }
  ConstIterator end() const { return items_.end(); }
  const Item& front() const { return items_.front(); }
  const Item& back() const { return items_.back(); }

  std::vector<Key> keys() const {
    std::vector<Key> keys;
    for (const Item& item : items_) keys.push_back(item.key());
    return keys;
  }
  std::vector<Value> values() const {
    std::vector<Value> values;
    for (const Item& item : items_) values.push_back(item.value());
    return values;
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> pairs;
    for (const Item& item : items_) pairs.emplace_back(item.key(), item.value());
    return pairs;
  }

 private:
  Value& at(const Key& key) {
    if (Value* value = find(key)) return *value;
    throw std::out_of_range("OrderedDict: no such key");
  }

  std::vector<Item> items_;
};

}  // namespace tensorlib
