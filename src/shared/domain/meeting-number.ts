/** Conference numbers: nine digits, the first not 0, easy to say on the telephone. A one-to-one call has a UUID instead. */

const NUMBER = /^[1-9]\d{8}$/;
/** The range of numbers; `below` is exclusive. */
export const MEETING_NUMBERS = { from: 100_000_000, below: 1_000_000_000 } as const;

export const isMeetingNumber = (text: string): boolean => NUMBER.test(text);

/** Formats a number in three groups of three; any other id is returned unchanged. */
export const showMeetingNumber = (id: string): string =>
  isMeetingNumber(id) ? `${id.slice(0, 3)} ${id.slice(3, 6)} ${id.slice(6)}` : id;

/** Extracts the conference from what a person typed or pasted: a number in any grouping, a link, or a plain id. */
export function conferenceIn(text: string): string {
  // full-width digits come from Chinese keyboards
  const trimmed = text.normalize("NFKC").trim();
  const digits = trimmed.replaceAll(/[\s\-–—.·]/g, "");
  if (isMeetingNumber(digits)) return digits;
  const link = /^https?:\/\/\S*?[?&]id=([^&#\s]+)/i.exec(trimmed)?.[1];
  return link === undefined ? trimmed : link;
}
