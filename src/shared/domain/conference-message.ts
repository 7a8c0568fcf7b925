/**
 * @returns what a person reads of a text in a conference (op 1003). Clients of the platform's SDK send the JSON of an object with
 *   `text`; everything else is shown as it is.
 */
export function shownText(arg: string): string {
  if (!arg.startsWith("{")) return arg;
  try {
    const value: unknown = JSON.parse(arg);
    if (typeof value === "object" && value !== null && "text" in value) {
      return typeof value.text === "string" ? value.text : arg;
    }
  } catch {
    // Somebody wrote a brace.
  }
  return arg;
}
