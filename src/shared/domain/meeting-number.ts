/** Meeting numbers: nine digits, the first not 0, so that they can be told on the phone. A call of two keeps a UUID. */

const NUMBER = /^[1-9]\d{8}$/;
/** The range that numbers are drawn from; the upper bound is not in it. */
export const MEETING_NUMBERS = { from: 100_000_000, below: 1_000_000_000 } as const;

export const isMeetingNumber = (text: string): boolean => NUMBER.test(text);

/** As it is shown: three groups of three. What is no number is shown as it is. */
export const showMeetingNumber = (id: string): string =>
  isMeetingNumber(id) ? `${id.slice(0, 3)} ${id.slice(3, 6)} ${id.slice(6)}` : id;

/** The conference in what a person typed or pasted: a number however it is grouped, a link, or an id as it is. */
export function conferenceIn(text: string): string {
  // full-width digits come from Chinese keyboards
  const trimmed = text.normalize("NFKC").trim();
  const digits = trimmed.replaceAll(/[\s\-–—.·]/g, "");
  if (isMeetingNumber(digits)) return digits;
  const link = /^https?:\/\/\S*?[?&]id=([^&#\s]+)/i.exec(trimmed)?.[1];
  return link === undefined ? trimmed : link;
}
