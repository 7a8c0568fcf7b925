/** Whether a value is a colour as the settings keep it: `#rrggbb`. */
export const isColor = (value: unknown): value is string =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
