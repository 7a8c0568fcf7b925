/**
 * Remembers the order of long lists, so that only the first page far from both ends sorts all of their rows. Ids stay as the eight bytes
 * that the database sends for each. Pure memory: what it remembers has the version of the company's employees, which every change of an
 * employee raises.
 */

/** Bytes of an id. */
const ID_BYTES = 8;
/** Bytes of all orders together; those used last stay. 100,000 employees take 0.8 MB. */
const MOST_BYTES = 64 * 2 ** 20;

/** All rows of a list, the least first. It serves both directions. */
export interface ListOrder {
  /** Eight bytes an id, the most significant first. */
  readonly ids: Buffer;
  /** Number of rows that have a value in the ordered column. The others stand behind them, in either direction. */
  readonly filled: number;
}

export interface ListOrders {
  /** @returns null: the order is not known in this version */
  find(key: string, version: string): ListOrder | null;
  remember(key: string, version: string, order: ListOrder): void;
}

/**
 * @param down the greatest first
 * @returns the ids at these places of a list, fewer at its end
 */
export function idsAt(
  { ids, filled }: ListOrder,
  down: boolean,
  from: number,
  count: number,
): readonly string[] {
  const all = ids.length / ID_BYTES;
  const placeOf = (index: number): number =>
    down ? (index < filled ? filled - 1 - index : all - 1 - (index - filled)) : index;
  const end = Math.min(from + count, all);
  return Array.from({ length: Math.max(0, end - from) }, (_, n) =>
    ids.readBigInt64BE(placeOf(from + n) * ID_BYTES).toString(),
  );
}

/** @param mostBytes a list that needs more is not remembered */
export function createListOrders(mostBytes = MOST_BYTES): ListOrders {
  const orders = new Map<string, { readonly version: string; readonly order: ListOrder }>();
  let bytes = 0;

  const forget = (key: string): void => {
    bytes -= orders.get(key)?.order.ids.length ?? 0;
    orders.delete(key);
  };

  return {
    find(key, version) {
      const known = orders.get(key);
      if (known?.version !== version) return null;
      orders.delete(key);
      orders.set(key, known);
      return known.order;
    },
    remember(key, version, order) {
      forget(key);
      if (order.ids.length > mostBytes) return;
      orders.set(key, { version, order });
      bytes += order.ids.length;
      for (const old of orders.keys()) {
        if (bytes <= mostBytes) break;
        forget(old);
      }
    },
  };
}
