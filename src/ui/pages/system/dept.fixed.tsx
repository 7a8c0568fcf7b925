/** Departments of the company as a tree that is kept here: made, renamed, moved, ordered, merged, deleted. */
import { Button, Input } from "@arco-design/web-react";
import { IconPlus, IconRefresh, IconSearch } from "@arco-design/web-react/icon";
import { lazy, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import type { Department } from "../../../shared/protocol/rest/departments.ts";
import {
  type DepartmentAction,
  DepartmentTree,
} from "../../features/departments/DepartmentTree.tsx";
import { isCalled, shownDepartments } from "../../features/departments/choices.ts";
import { DEPARTMENT_TEXTS } from "../../features/departments/texts.ts";
import { dropSpot } from "../../features/departments/moving.ts";
import { useDepartments } from "../../features/departments/useDepartments.ts";
import { useMoving } from "../../features/departments/useMoving.ts";
import { useListOwner, useListQuery } from "../../components/list/useListQuery.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { Allowed } from "../../components/taken/Allowed.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useMay } from "../../state/may.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import "../../components/list-page.css";
import { NothingFound } from "../../components/NothingFound.tsx";
import { Part } from "../../components/Part.tsx";
import "../../features/departments/departments.css";

const DepartmentDialog = lazy(() =>
  retrying(() => import("../../features/departments/DepartmentDialogs.tsx")).then((m) => ({
    default: m.DepartmentDialog,
  })),
);
const MergeDialog = lazy(() =>
  retrying(() => import("../../features/departments/DepartmentDialogs.tsx")).then((m) => ({
    default: m.MergeDialog,
  })),
);

/** Most departments of which all are shown at first. */
const UNFOLDED = 200;
const PEOPLE = "/supplier/employees";
const NONE: ReadonlySet<string> = new Set();

type Open =
  | { readonly dialog: "create"; readonly below: string | null }
  | { readonly dialog: "edit" | "merge"; readonly department: Department };

export default function DepartmentPage() {
  const text = useTexts(DEPARTMENT_TEXTS);
  return (
    <Allowed call="departments.tree" title={text("title")}>
      <Departments />
    </Allowed>
  );
}

/** The word that is looked for, kept for a reload as that of a list; a link names it (`?name=`), and the address keeps nothing of it. */
function useLinkedWord() {
  const { query, change } = useListQuery(useListOwner("departments.tree"));
  const setWord = (keyword: string): void => change({ keyword });
  const [params, setParams] = useSearchParams();
  const linked = params.get("name");
  const [seen, setSeen] = useState<string | null>(null);
  if (linked !== seen) {
    setSeen(linked);
    if (linked !== null) setWord(linked);
  }
  useEffect(() => {
    if (linked !== null) setParams({}, { replace: true });
  }, [linked, setParams]);
  return [query.keyword, setWord] as const;
}

function Departments() {
  const { t } = useTranslation();
  const text = useTexts(DEPARTMENT_TEXTS);
  const may = useMay();
  const menus = useMenus();
  const { rest } = useCore().commands;
  const departments = useDepartments();
  const { state, rows, again } = departments;
  const [word, setWord] = useLinkedWord();
  /** Null until the person folds something. */
  const [chosen, setFolded] = useState<ReadonlySet<string> | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const searching = word.trim() !== "";
  const ids = new Set(rows.map(({ id }) => id));
  const folded = chosen ?? (rows.length > UNFOLDED ? ids : NONE);
  const shown = shownDepartments(rows, word, folded);
  const found = rows.filter((row) => isCalled(row, word));
  const fold = (id: string, unfold: boolean): void => {
    const next = new Set(folded);
    if (unfold) next.delete(id);
    else next.add(id);
    setFolded(next);
  };
  const moving = useMoving(rows, (id) => fold(id, true));
  const shift = ({ id }: Department, to: "up" | "down"): void => {
    rest.call({ call: "departments.shift", body: { id, to } }).catch(showError);
  };
  const askRemove = ({ id, name }: Department): void =>
    ask({
      title: text("removeTitle"),
      content: text("removeAsk", { name }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "departments.delete", params: { id } })
          .then(() => showMessage("success", text("removed")), showError),
    });
  const every: readonly DepartmentAction[] = [
    {
      key: "createBelow",
      call: "departments.create",
      run: ({ id }) => setOpen({ dialog: "create", below: id }),
    },
    {
      key: "edit",
      call: "departments.update",
      run: (department) => setOpen({ dialog: "edit", department }),
    },
    { key: "up", call: "departments.shift", run: (department) => shift(department, "up") },
    { key: "down", call: "departments.shift", run: (department) => shift(department, "down") },
    {
      key: "merge",
      call: "departments.merge",
      run: (department) => setOpen({ dialog: "merge", department }),
    },
    { key: "remove", call: "departments.delete", danger: true, run: askRemove },
  ];
  const actions = every.filter(({ call }) => may(call));
  const close = (): void => setOpen(null);
  return (
    <div className="panel list-page dept-page">
      <header>
        <h1>{text("title")}</h1>
        <span className="list-page-total tnum" data-testid="list-total">
          {state !== "ready"
            ? null
            : searching
              ? text("found", { found: found.length, count: rows.length })
              : text("total", { count: rows.length })}
        </span>
        <Input
          className="list-page-search"
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          placeholder={text("search")}
          aria-label={text("search")}
          maxLength={100}
          value={word}
          onChange={setWord}
        />
        <Button onClick={() => setFolded(new Set())}>{text("expandAll")}</Button>
        <Button onClick={() => setFolded(ids)}>{text("foldAll")}</Button>
        <Button icon={<IconRefresh />} aria-label={t("common.refreshList")} onClick={again} />
        {may("departments.create") && (
          <Button
            type="primary"
            icon={<IconPlus />}
            data-call="departments.create"
            onClick={() => setOpen({ dialog: "create", below: null })}
          >
            {text("create")}
          </Button>
        )}
      </header>
      <ReadNote
        className="list-page-none"
        answer={departments}
        failed={text("failed")}
        onRetry={again}
      />
      {state === "ready" && shown.length === 0 && (
        <div className="list-page-none">
          {searching ? (
            <NothingFound text={text("notFound")} onClear={() => setWord("")} />
          ) : (
            <>
              <strong>{text("none")}</strong>
              <p>{text("noneHint")}</p>
            </>
          )}
        </div>
      )}
      {state === "ready" && shown.length > 0 && (
        <DepartmentTree
          label={text("title")}
          rows={shown}
          isOpen={(id) => searching || !folded.has(id)}
          onFold={fold}
          actions={actions}
          // a search shows a part of the neighbours alone
          moving={
            searching || !may("departments.update")
              ? null
              : {
                  ...moving,
                  spotAt: (id, over, part) =>
                    dropSpot(rows, id, { id: over, part, open: !folded.has(over) }),
                }
          }
          peoplePath={findRoute(menus, PEOPLE) === undefined ? null : PEOPLE}
        />
      )}
      <Part onFailed={close}>
        {open?.dialog === "create" && (
          <DepartmentDialog rows={rows} department={null} below={open.below} onClose={close} />
        )}
        {open?.dialog === "edit" && (
          <DepartmentDialog rows={rows} department={open.department} below={null} onClose={close} />
        )}
        {open?.dialog === "merge" && (
          <MergeDialog rows={rows} department={open.department} onClose={close} />
        )}
      </Part>
    </div>
  );
}
