/** Shades of a theme colour for the light and the dark theme (docs/session.md#appearance). Pure. */

type Rgb = readonly [number, number, number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Surfaces of the themes (theme.css). */
const LIGHT_SURFACE = WHITE;
const DARK_SURFACE: Rgb = [23, 27, 34];
/** The faintest text of the themes, which stands on soft grounds too. */
const LIGHT_INK: Rgb = [104, 112, 128];
const DARK_INK: Rgb = [146, 156, 171];
/** WCAG 2.2, contrast of text at ordinary sizes. */
const READABLE = 4.5;
/** Share of white (dark theme: surface) in shades 1 to 5, and of black (dark theme: white) in shades 7 to 10. */
const TINTS = [0.9, 0.75, 0.58, 0.4, 0.2] as const;
const SHADES = [0.18, 0.36, 0.54, 0.7] as const;
/** Steps in which a colour is moved until text in it is readable. */
const STEP = 0.04;
const SOFT_STEP = 0.01;

const parse = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};
const mix = (color: Rgb, other: Rgb, part: number): Rgb => {
  const at = (i: 0 | 1 | 2): number => Math.round(color[i] * (1 - part) + other[i] * part);
  return [at(0), at(1), at(2)];
};
const luminance = (color: Rgb): number => {
  const [r, g, b] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: Rgb, b: Rgb): number => {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};
/** The contrast of two colours, written `#rrggbb`, from 1 to 21. */
export const contrastOf = (a: string, b: string): number => contrast(parse(a), parse(b));

/** Moves the colour towards `end` until text in it is readable on all of the grounds. */
function readable(color: Rgb, end: Rgb, grounds: readonly Rgb[]): Rgb {
  for (let part = 0; part < 1; part += STEP) {
    const moved = mix(color, end, part);
    if (grounds.every((ground) => contrast(moved, ground) >= READABLE)) return moved;
  }
  return end;
}

/** A ground that has a touch of the colour, on which the faintest text is still readable. */
function softened(color: Rgb, ground: Rgb, ink: Rgb, part: number): Rgb {
  for (let most = part; most < 1; most += SOFT_STEP) {
    const soft = mix(color, ground, most);
    if (contrast(ink, soft) >= READABLE) return soft;
  }
  return ground;
}

const hexOf = (color: Rgb): string =>
  `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;

/** Custom properties by name. */
export type Tokens = Readonly<Record<string, string>>;

interface Ground {
  readonly surface: Rgb;
  /** The faintest text on it. */
  readonly ink: Rgb;
  /** Where text in the theme colour moves until it is readable. */
  readonly away: Rgb;
  /** Part of the surface in soft grounds. */
  readonly soft: number;
}

function tokens(color: Rgb, { surface: ground, ink, away, soft }: Ground): Tokens {
  const shades = [
    ...TINTS.map((part) => mix(color, ground, part)),
    color,
    ...SHADES.map((part) => mix(color, away, part)),
  ];
  const softGround = softened(color, ground, ink, soft);
  const text = readable(color, away, [ground, softGround]);
  const fill = readable(color, BLACK, [WHITE]);
  return {
    ...Object.fromEntries(shades.map((shade, i) => [`--arcoblue-${i + 1}`, shade.join(", ")])),
    "--brand": hexOf(color),
    "--brand-text": hexOf(text),
    "--brand-strong": hexOf(mix(text, away, 0.25)),
    "--brand-soft": hexOf(softGround),
    "--brand-fill": hexOf(fill),
    "--brand-fill-hover": hexOf(mix(fill, BLACK, 0.12)),
  };
}

/** @param color `#rrggbb` */
export function paletteOf(color: string): { readonly light: Tokens; readonly dark: Tokens } {
  const base = parse(color);
  return {
    light: tokens(base, { surface: LIGHT_SURFACE, ink: LIGHT_INK, away: BLACK, soft: 0.93 }),
    dark: tokens(base, { surface: DARK_SURFACE, ink: DARK_INK, away: WHITE, soft: 0.78 }),
  };
}

/** The palette as a stylesheet. */
export function paletteCss(color: string): string {
  const block = (values: Tokens): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}: ${value};`)
      .join(" ");
  const { light, dark } = paletteOf(color);
  return `body { ${block(light)} } body[arco-theme="dark"] { ${block(dark)} }`;
}
