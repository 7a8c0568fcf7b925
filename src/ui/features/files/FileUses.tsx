/** What needs a file of the company, each as a link to it where the person may open it. */
import { Fragment } from "react";
import { Link } from "react-router-dom";
import type { StoredFileRow } from "../../../shared/protocol/rest/stored-files.ts";
import { useTexts } from "../../i18n/texts.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import { useFileLabels } from "./labels.ts";
import { STORED_FILE_TEXTS } from "./texts.ts";

type Use = StoredFileRow["uses"][number];

/** The page of the record; null: the record has none, or the person does not know which it is. */
function pathOf({ kind, recordId, title, left }: Use): string | null {
  if (kind === "logo" || kind === "licence") return "/system/company";
  if (kind === "bulletin" || title === "") return null;
  return `/supplier/${left ? "dimission" : "employees"}?row=${recordId}`;
}

export function FileUses(props: {
  readonly uses: StoredFileRow["uses"];
  readonly onBulletin: (noticeId: string) => void;
}) {
  const text = useTexts(STORED_FILE_TEXTS);
  const { ofUse } = useFileLabels();
  const menus = useMenus();
  if (props.uses.length === 0) return <span className="file-unused">{text("unused")}</span>;
  return props.uses.map((use, at) => {
    const { kind, recordId, title } = use;
    const label = ofUse(use);
    const to = pathOf(use);
    const [page = ""] = to?.split("?") ?? [];
    return (
      <Fragment key={`${kind} ${recordId}`}>
        {at > 0 && "、"}
        {kind === "bulletin" && title !== "" ? (
          <button
            type="button"
            className="list-page-link"
            title={label}
            onClick={() => props.onBulletin(recordId)}
          >
            {label}
          </button>
        ) : to !== null && findRoute(menus, page) !== undefined ? (
          <Link className="list-page-link" title={label} to={to}>
            {label}
          </Link>
        ) : (
          <span title={label}>{label}</span>
        )}
      </Fragment>
    );
  });
}
