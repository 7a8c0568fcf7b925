/** What the people of a role see and may do, as one tree that is saved at once: the menus, and below each page its permissions. */
import { Button } from "@arco-design/web-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import {
  type RoleRow,
  type RoleWithMenus,
  roleWithMenusSchema,
} from "../../../shared/protocol/rest/roles.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import { currentLanguage, errorText } from "../../i18n/index.ts";
import { textOf, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { type CheckNode, joined } from "./check-tree.ts";
import { CheckTree } from "./CheckTree.tsx";
import { permissionAction, permissionTitle } from "./permission-title.ts";
import { chosenOf, difference, rightsOf, rightsTree, type Wording } from "./rights.ts";
import { ROLE_TEXTS } from "./texts.ts";
import "../../components/form/form.css";
import "./roles.css";

/** The rights as the server holds them. */
interface Loaded {
  readonly version: number;
  readonly tree: readonly CheckNode[];
  readonly held: ReadonlySet<string>;
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

const wordingNow = (): Wording => ({
  language: currentLanguage(),
  permission: permissionTitle,
  action: permissionAction,
  other: textOf(ROLE_TEXTS, "otherPermissions"),
});

function useLoad(id: string): () => Promise<Loaded> {
  const { rest } = useCore().commands;
  return useCallback(async () => {
    const [entries, pairs, known, { records }] = await Promise.all([
      rest.call({ call: "menus.tree" }),
      rest.call({ call: "menus.roleMenus", query: { roleId: id } }),
      rest.call({ call: "roles.permissions" }),
      rest.call({ call: "roles.list", query: { limit: 1000 } }),
    ]);
    const role = records.find((one) => one.id === id);
    if (role === undefined) throw new Error("the role is gone");
    const tree = rightsTree(entries, known, role, wordingNow());
    const menuIds = pairs.map(({ menuId }) => menuId);
    return { version: role.version, tree, held: heldBy({ ...role, menuIds }, tree) };
  }, [rest, id]);
}

/** What is chosen in the tree by what the server holds. The administrator's role holds all permissions, by none of their names. */
const heldBy = (role: RoleWithMenus, tree: readonly CheckNode[]): ReadonlySet<string> =>
  chosenOf(tree, { ...role, ...(role.builtIn ? { permissions: [] } : {}) });

export function RightsDialog(props: { readonly role: RoleRow; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(ROLE_TEXTS);
  const { rest } = useCore().commands;
  const { id, name, builtIn } = props.role;
  const load = useLoad(id);
  const [base, setBase] = useState<Loaded | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<string | null>(null);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  useEffect(() => {
    let live = true;
    load().then(
      (loaded) => {
        if (!live) return;
        setBase(loaded);
        setChosen(loaded.held);
      },
      (error: unknown) => live && setFailure(errorText(error)),
    );
    return () => {
      live = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt repeats the requests
  }, [load, attempt]);

  const box = useRef<HTMLDivElement>(null);
  const loaded = base !== null;
  // The dialog opens before it has anything but its buttons.
  useEffect(() => {
    if (loaded) box.current?.querySelector("input")?.focus();
  }, [loaded]);

  const dirty = base !== null && !sameSet(base.held, chosen);
  useLeaveWarning(dirty);
  const close = (): void => {
    if (busy) return;
    if (!dirty) return props.onClose();
    ask({
      title: t("common.hint"),
      content: text("unsaved"),
      okText: text("discard"),
      cancelText: text("stay"),
      onOk: props.onClose,
    });
  };
  /**
   * Saves the choice. Where another person changed the role meanwhile, both choices are joined, and their changes are named.
   *
   * @returns whether nothing is left to save
   */
  const send = async (from: Loaded): Promise<boolean> => {
    const { menuIds, permissions } = rightsOf(chosen);
    try {
      const rights = { menuIds: [...menuIds], permissions: [...permissions] };
      const body = builtIn ? { menuIds: rights.menuIds } : rights;
      await rest.call({ call: "roles.update", body: { id, version: from.version, ...body } });
      return true;
    } catch (error) {
      const stale = staleVersions(error);
      if (stale === null) throw error;
      const theirs = roleWithMenusSchema.parse(stale.theirs);
      const now = { ...from, version: theirs.version, held: heldBy(theirs, from.tree) };
      const { added, removed } = difference(from.tree, from.held, now.held);
      // They changed something else, as the name.
      if (added.length + removed.length === 0 && now.version !== from.version) return send(now);
      const both = joined(from.tree, from.held, chosen, now.held);
      setBase(now);
      setChosen(both);
      setNotes([
        text("stale"),
        ...(added.length === 0 ? [] : [text("added", { names: added.join("、") })]),
        ...(removed.length === 0 ? [] : [text("removed", { names: removed.join("、") })]),
      ]);
      return sameSet(both, now.held);
    }
  };
  const save = async (): Promise<void> => {
    if (base === null) return;
    setBusy(true);
    setFailure(null);
    try {
      if (!(await send(base))) return;
      showMessage("success", text("saved"));
      props.onClose();
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      visible
      title={text("rightsOf", { name })}
      className="form-dialog"
      footer={null}
      maskClosable={false}
      onCancel={close}
      unmountOnExit
    >
      <div ref={box} className="role-dialog">
        {failure !== null && (
          <div className="form-failure" role="alert">
            <p>{failure}</p>
            {base === null && (
              <Button
                size="small"
                onClick={() => {
                  setFailure(null);
                  setAttempt((n) => n + 1);
                }}
              >
                {t("common.retry")}
              </Button>
            )}
          </div>
        )}
        {notes.length > 0 && (
          <div className="form-stale role-stale" role="status" tabIndex={0}>
            {notes.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        )}
        {base === null && failure === null && <p role="status">{t("common.loading")}</p>}
        {base !== null && (
          <>
            <p className="role-hint">{text(builtIn ? "allPermissions" : "rightsHint")}</p>
            <CheckTree
              label={text("rights")}
              tree={base.tree}
              checked={chosen}
              onChange={setChosen}
            />
          </>
        )}
        <footer className="form-buttons">
          <Button onClick={close} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button type="primary" loading={busy} disabled={!dirty} onClick={() => void save()}>
            {text("save")}
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
