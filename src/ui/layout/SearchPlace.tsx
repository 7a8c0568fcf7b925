/** The search of the frame, whose code comes after the keys that open it: what is typed in between belongs to it. */
import { lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SidebarItem } from "../../shared/domain/menus.ts";
import { useFocusBack } from "../components/useFocusBack.ts";
import { retrying } from "../state/retrying.ts";
import { Part } from "../components/Part.tsx";

/** Most characters of a search. */
const MOST_TYPED = 100;

const SearchDialog = lazy(() =>
  retrying(() => import("./SearchDialog.tsx")).then((m) => ({ default: m.SearchDialog })),
);

export function SearchPlace(props: {
  readonly items: readonly SidebarItem[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [ready, setReady] = useState(false);
  useFocusBack(() => null);
  return (
    <>
      {!ready && (
        <input
          className="visually-hidden"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for the field
          autoFocus
          aria-label={t("layout.search")}
          maxLength={MOST_TYPED}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") props.onClose();
          }}
        />
      )}
      <Part onFailed={props.onClose}>
        <SearchDialog
          {...props}
          typed={typed}
          onType={setTyped}
          most={MOST_TYPED}
          onReady={() => setReady(true)}
        />
      </Part>
    </>
  );
}
