/** What a QR code of an invitation says beside the picture, on paper and as a file. Pure. */
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";

/** Most codes at once: ten sheets of paper. */
export const MOST_CODES = 120;

export interface PrintedLink {
  readonly id: string;
  readonly name: string;
  /** What the invitation is for, below the name. */
  readonly note: string;
  /** The path or the whole address. */
  readonly link: string;
  readonly expiresAt: string;
}

/** @param name of the person, or of the post for an invitation without one */
export function printedLink(row: Row<"invitations.list">, name: string): PrintedLink {
  const { id, link, expiresAt, department, position, employee, mobile } = row;
  const job = [department, position].filter((part) => (part ?? "") !== "").join(" · ");
  // A list names the post with the person, and without a person the name is that of the post.
  const isNamed = (employee === null && mobile === null) || name.endsWith(job);
  return { id, name, note: isNamed ? "" : job, link, expiresAt };
}

// oxlint-disable-next-line no-control-regex -- characters that a file system or an archive refuses
const REFUSED = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;

/** Names of the picture files, each once: of many invitations for one post the first has the plain name. */
export function pictureNames(links: readonly Pick<PrintedLink, "name">[]): string[] {
  const seen = new Map<string, number>();
  return links.map(({ name }) => {
    const plain = name.replaceAll(REFUSED, " ").trim().slice(0, 60) || "QR";
    const key = plain.toLowerCase();
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? `${plain}.png` : `${plain} (${times}).png`;
  });
}
