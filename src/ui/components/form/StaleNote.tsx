/** Says in a form what another person changed meanwhile (docs/server.md#versions). */
import { useTexts } from "../../i18n/texts.ts";
import { STALE_TEXTS, type StaleChange } from "./stale.ts";
import "./form.css";

export function StaleNote({ changes }: { readonly changes: readonly StaleChange[] }) {
  const text = useTexts(STALE_TEXTS);
  if (changes.length === 0) return null;
  return (
    <div className="form-stale" role="status">
      <p>{text("changed")}</p>
      <ul>
        {changes.map(({ label, value }) => (
          <li key={label}>
            {value === "" ? text("empty", { label }) : text("now", { label, value })}
          </li>
        ))}
      </ul>
    </div>
  );
}
