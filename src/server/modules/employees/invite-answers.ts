/** The part of the page behind an invitation link that asks for what the company requires of everybody. */
import { type Language, refusalText, wordsOf } from "./invite-texts.ts";
import { answerName, type AskedField } from "./joiner-fields.ts";

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** A text where a page has text or the value of an attribute. */
export const text = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? "");

const INPUTS: Readonly<Record<Exclude<AskedField["kind"], "choice">, string>> = {
  text: "",
  // a date field of the browser speaks the browser's language, not the page's
  date: 'inputmode="numeric"',
  phone: 'type="tel" inputmode="tel"',
  email: 'type="email" inputmode="email" autocapitalize="none"',
  number: 'inputmode="decimal"',
};

/** @param attributes what every control has */
function control(
  { kind, max, choices }: AskedField,
  attributes: string,
  value: string,
  choose: string,
): string {
  if (kind !== "choice") {
    return `<input ${attributes} value="${text(value)}" maxlength="${max}" ${INPUTS[kind]}>`;
  }
  const options = choices.map(
    (one) =>
      `<option value="${text(one.value)}"${one.value === value ? " selected" : ""}>${text(one.label)}</option>`,
  );
  return `<select ${attributes}><option value="">${choose}</option>${options.join("")}</select>`;
}

/**
 * @param given the answers so far, by the keys of the fields
 * @param wrong what is wrong, by the names of the inputs
 * @returns nothing for a company that requires nothing more
 */
export function answersPart(
  asks: readonly AskedField[],
  given: Readonly<Record<string, string>>,
  wrong: Readonly<Record<string, string>>,
  language: Language,
): string {
  if (asks.length === 0) return "";
  const words = wordsOf(language);
  // The name of an own field is the company's, in whatever language.
  const saidOf = (asked: AskedField, message: string): string =>
    message === `请填写${asked.zh}`
      ? words("missing", { label: asked[language] })
      : refusalText(language, message);
  const fields = asks.map((asked) => {
    const name = text(answerName(asked.key));
    const label = asked[language];
    const message = wrong[answerName(asked.key)];
    const notes = [
      ...(asked.kind === "date" ? [["rules", words("dayRules")] as const] : []),
      ...(message === undefined ? [] : [["wrong", saidOf(asked, message)] as const]),
    ];
    const described = notes.map(([id]) => `${name}-${id}`).join(" ");
    const attributes =
      `id="${name}" name="${name}" required` +
      (described === "" ? "" : ` aria-describedby="${described}"`) +
      (message === undefined ? "" : ' aria-invalid="true"');
    const input = control(asked, attributes, given[asked.key] ?? "", words("choose"));
    const below = notes
      .map(([id, note]) => `<span class="${id}" id="${name}-${id}">${text(note)}</span>`)
      .join("");
    return `<div class="field"><label for="${name}">${text(label)}</label><div class="input">${input}</div>${below}</div>`;
  });
  return `<fieldset><legend><span aria-hidden="true">3</span>${words("stepDetails")}</legend>
<p class="hint">${words("detailsHint")}</p>
${fields.join("")}</fieldset>
`;
}
