/** Leaves of a bulletin's HTML what a bulletin may have (docs/session.md#bulletins). */
import sanitizeHtml from "sanitize-html";
import { BULLETIN_LINKS, BULLETIN_TAGS } from "../../../shared/domain/bulletins.ts";
import { fileNameSchema } from "../../../shared/protocol/rest/files.ts";

/** sanitize-html keeps an address without a protocol, which leads into the console. */
const ADDRESS = new RegExp(`^(?:${BULLETIN_LINKS.join("|")}):`, "i");
/** Elements inside each other; deeper ones are left out. */
const NESTING = 20;

export const sanitise = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags: [...BULLETIN_TAGS, "a", "img"],
    allowedAttributes: { a: ["href"], img: ["data-file", "alt"] },
    allowedSchemes: [...BULLETIN_LINKS],
    allowProtocolRelative: false,
    transformTags: {
      a: (tagName, { href = "" }) => ({
        tagName,
        attribs: ADDRESS.test(href) ? { href } : {},
      }),
    },
    nestingLimit: NESTING,
    disallowedTagsMode: "discard",
    exclusiveFilter: ({ tag, attribs }) =>
      tag === "img" && !fileNameSchema.safeParse(attribs["data-file"]).success,
  });

/** Whether a reader sees anything. */
export const hasContent = (html: string): boolean =>
  / data-file=/.test(html) ||
  /[^\s\u200b-\u200f\u2060\ufeff\u00a0]/.test(
    sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} }).replaceAll("&nbsp;", ""),
  );
