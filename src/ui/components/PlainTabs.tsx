/** Parts of a dialog of which one is shown. Arco's tabs lack the roles that screen readers need. Arrow keys move between the tabs. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import "./plain-tabs.css";

interface PlainTab {
  readonly key: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** @param tabs at least one; one alone is shown without a tab @param first the tab that is open at first; left out: the first one */
export function PlainTabs({
  label,
  tabs,
  first = null,
}: {
  readonly label: string;
  readonly tabs: readonly PlainTab[];
  readonly first?: string | null;
}) {
  const id = useId();
  const [chosen, setChosen] = useState(first);
  const shown = tabs.find(({ key }) => key === chosen) ?? tabs[0];
  if (shown === undefined) return null;
  if (tabs.length === 1) return shown.content;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (tabs.indexOf(shown) + step + tabs.length) % tabs.length;
    setChosen(tabs[index]?.key ?? null);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <>
      <div className="plain-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}${key}`}
            aria-selected={key === shown.key}
            aria-controls={`${id}panel`}
            tabIndex={key === shown.key ? 0 : -1}
            onClick={() => setChosen(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${shown.key}`}>
        {shown.content}
      </div>
    </>
  );
}
