/** Sanitises the HTML of a bulletin in the page once more, because the page must not trust what was stored. */
import DOMPurify from "dompurify";
import { BULLETIN_LINKS, BULLETIN_TAGS } from "../../../shared/domain/bulletins.ts";

const ADDRESS = new RegExp(`^(?:${BULLETIN_LINKS.join("|")}):`, "i");

/** @returns elements that the page may show */
export const safeFragment = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...BULLETIN_TAGS, "a", "img"],
    ALLOWED_ATTR: ["href", "alt", "data-file"],
    // a name, which the core checks, and no address
    ADD_URI_SAFE_ATTR: ["data-file"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: ADDRESS,
    RETURN_DOM_FRAGMENT: true,
  });
