/** The watermark as one small picture that a background repeats: it costs no element per text and no work while scrolling. */
const WIDTH = 320;
const HEIGHT = 200;
/** Seen on white and on the dark theme's ground alike, and faint on both. */
const COLOUR = "rgb(127,135,148)";
const OPACITY = 0.2;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
/** Characters that XML forbids, and lone surrogates, would make the whole picture invalid. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- they are what must go
  /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const safe = (text: string): string =>
  text.replaceAll(FORBIDDEN, "").replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");

/** @returns the value of `background-image` */
export function watermarkImage(first: string, second: string): string {
  const line = (text: string, y: number): string =>
    `<text x="${WIDTH / 2}" y="${y}" text-anchor="middle">${safe(text)}</text>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">` +
    `<g transform="rotate(-20 ${WIDTH / 2} ${HEIGHT / 2})" font-family="sans-serif" font-size="15" fill="${COLOUR}" fill-opacity="${OPACITY}">` +
    `${line(first, 95)}${line(second, 117)}</g></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

const NAME_MAX = 20;

/** What the watermark says of a person: the name, and the last four digits of the mobile, else the end of the account's name. */
export function watermarkPerson(person: {
  readonly name: string;
  readonly phone: string | null;
  readonly username: string | null;
}): string {
  const digits = (person.phone ?? "").replaceAll(/\D/g, "");
  const tail =
    digits.length >= 4 ? digits.slice(-4) : [...(person.username ?? "")].slice(-4).join("");
  const name = [...person.name];
  const shown = name.length > NAME_MAX ? `${name.slice(0, NAME_MAX).join("")}…` : person.name;
  return [shown, tail].filter((part) => part !== "").join(" ");
}
