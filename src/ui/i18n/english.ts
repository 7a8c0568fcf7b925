/** The English of a Chinese catalogue: the same keys, and beside a text with a count the one for a single thing, `<key>_one`. */
export type English<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends readonly string[]
      ? readonly string[]
      : English<T[K]>;
} & { readonly [K in keyof T & string as `${K}_one`]?: string };
