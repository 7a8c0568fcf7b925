import { expect, it } from "vitest";
import { createListOrders, idsAt, type ListOrder } from "./list-orders.ts";

/** An order as the database sends it. */
function orderOf(ids: readonly number[], filled = ids.length): ListOrder {
  const bytes = Buffer.alloc(ids.length * 8);
  for (const [n, id] of ids.entries()) bytes.writeBigInt64BE(BigInt(id), n * 8);
  return { ids: bytes, filled };
}

it("The ids at a place of a list are read, and fewer at its end", () => {
  const order = orderOf([7, 2 ** 40, 3]);
  expect(idsAt(order, false, 0, 2)).toEqual(["7", String(2 ** 40)]);
  expect(idsAt(order, false, 2, 2)).toEqual(["3"]);
  expect(idsAt(order, false, 5, 2)).toEqual([]);
});

it("The other direction begins with the greatest, and rows without a value stay behind the others", () => {
  const order = orderOf([1, 2, 3, 8, 9], 3);
  expect(idsAt(order, true, 0, 5)).toEqual(["3", "2", "1", "9", "8"]);
  expect(idsAt(order, true, 2, 2)).toEqual(["1", "9"]);
  expect(idsAt(order, true, 4, 2)).toEqual(["8"]);
});

it("An order of an earlier version is not used, and the next one takes its place", () => {
  const orders = createListOrders();
  orders.remember("a", "1", orderOf([1]));
  expect(orders.find("a", "2")).toBeNull();
  orders.remember("a", "2", orderOf([2]));
  expect(orders.find("a", "2")).toEqual(orderOf([2]));
  expect(orders.find("b", "2")).toBeNull();
});

it("Orders that take too many bytes are forgotten, the one used last stays", () => {
  const orders = createListOrders(32);
  orders.remember("a", "1", orderOf([1, 1]));
  orders.remember("b", "1", orderOf([2, 2]));
  orders.find("a", "1");
  orders.remember("c", "1", orderOf([3, 3]));
  expect(orders.find("b", "1")).toBeNull();
  expect(orders.find("a", "1")).toEqual(orderOf([1, 1]));
  expect(orders.find("c", "1")).toEqual(orderOf([3, 3]));
  orders.remember("d", "1", orderOf([4, 4, 4, 4, 4]));
  expect(orders.find("d", "1")).toBeNull();
  expect(orders.find("c", "1")).toEqual(orderOf([3, 3]));
});

it("An order that is remembered again counts once", () => {
  const orders = createListOrders(32);
  for (let n = 0; n < 10; n += 1) orders.remember("a", String(n), orderOf([n, n]));
  orders.remember("b", "1", orderOf([2, 2]));
  expect(orders.find("a", "9")).toEqual(orderOf([9, 9]));
  expect(orders.find("b", "1")).toEqual(orderOf([2, 2]));
});
