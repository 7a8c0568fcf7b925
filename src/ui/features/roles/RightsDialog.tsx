/** What the people of a role see and may do: its menu entries and its permissions, as two trees. */
import { Button } from "@arco-design/web-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import type { RoleRow } from "../../../shared/protocol/rest/roles.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useLeaveWarning } from "../../components/useLeaveWarning.ts";
import { currentLanguage, errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import type { CheckNode } from "./check-tree.ts";
import { CheckTree } from "./CheckTree.tsx";
import {
  difference,
  isPermission,
  menuNodes,
  merged,
  permissionNodes,
  withGroups,
} from "./rights.ts";
import { PERMISSION_TITLES } from "./permission-title.ts";
import { ROLE_TEXTS } from "./texts.ts";
import "../../components/form/form.css";
import "./roles.css";

/** The entries that lead to this screen stay with the administrator's role. */
const KEPT_BY_ADMIN = ["system", "system-role"];

type Part = "menus" | "permissions";
type Choices = Readonly<Record<Part, ReadonlySet<string>>>;

/** The rights as the server holds them. */
interface Loaded {
  readonly role: RoleRow;
  readonly trees: Readonly<Record<Part, readonly CheckNode[]>>;
  readonly held: Choices;
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));

function useLoad(id: string): () => Promise<Loaded> {
  const { rest } = useCore().commands;
  return useCallback(async () => {
    const [tree, pairs, known, { records }] = await Promise.all([
      rest.call({ call: "menus.tree" }),
      rest.call({ call: "menus.roleMenus", query: { roleId: id } }),
      rest.call({ call: "roles.permissions" }),
      rest.call({ call: "roles.list", query: { limit: 1000 } }),
    ]);
    const role = records.find((one) => one.id === id);
    if (role === undefined) throw new Error("the role is gone");
    const permissions = role.builtIn
      ? []
      : permissionNodes(known, role.permissions, PERMISSION_TITLES);
    return {
      role,
      trees: {
        menus: menuNodes(tree, currentLanguage(), role.builtIn ? KEPT_BY_ADMIN : []),
        permissions,
      },
      held: {
        menus: new Set(pairs.map(({ menuId }) => menuId)),
        permissions: withGroups(permissions, role.builtIn ? [] : role.permissions),
      },
    };
  }, [rest, id]);
}

export function RightsDialog(props: { readonly role: RoleRow; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(ROLE_TEXTS);
  const { rest } = useCore().commands;
  const { id, name, builtIn } = props.role;
  const load = useLoad(id);
  const [base, setBase] = useState<Loaded | null>(null);
  const [choices, setChoices] = useState<Choices | null>(null);
  const [part, setPart] = useState<Part>("menus");
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
        setChoices(loaded.held);
      },
      (error: unknown) => live && setFailure(errorText(error)),
    );
    return () => {
      live = false;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt repeats the requests
  }, [load, attempt]);

  const changed = (which: Part): boolean =>
    base !== null && choices !== null && !sameSet(base.held[which], choices[which]);
  const dirty = changed("menus") || changed("permissions");
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
  /** Joins what the other person changed to the choice here, and shows it. The next save is based on their version. */
  const join = async (before: Loaded, chosen: Choices): Promise<void> => {
    const now = await load();
    const lines = (["menus", "permissions"] as const).flatMap((which) => {
      const { added, removed } = difference(now.trees[which], before.held[which], now.held[which]);
      return [
        ...(added.length === 0 ? [] : [text("added", { names: added.join("、") })]),
        ...(removed.length === 0 ? [] : [text("removed", { names: removed.join("、") })]),
      ];
    });
    setBase(now);
    setChoices({
      menus: merged(before.held.menus, chosen.menus, now.held.menus),
      permissions: merged(before.held.permissions, chosen.permissions, now.held.permissions),
    });
    setNotes([text("stale"), ...lines]);
  };
  const save = async (): Promise<void> => {
    if (base === null || choices === null) return;
    setBusy(true);
    setFailure(null);
    let at = base;
    try {
      if (changed("menus")) {
        await rest.call({
          call: "menus.saveRoleMenus",
          query: { roleId: id, version: base.role.version },
          body: [...choices.menus].map((menuId) => ({ menuId })),
        });
        // The permissions may still be refused.
        at = {
          ...base,
          role: { ...base.role, version: base.role.version + 1 },
          held: { ...base.held, menus: choices.menus },
        };
        setBase(at);
      }
      if (changed("permissions")) {
        const permissions = [...choices.permissions].filter(isPermission);
        await rest.call({
          call: "roles.update",
          body: { id, version: at.role.version, permissions },
        });
      }
      showMessage("success", text("saved"));
      props.onClose();
    } catch (error) {
      if (staleVersions(error) === null) setFailure(errorText(error));
      else await join(at, choices).catch((later: unknown) => setFailure(errorText(later)));
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
      <div className="role-dialog">
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
          <div className="form-stale" role="status">
            {notes.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        )}
        {base === null && failure === null && <p role="status">{t("common.loading")}</p>}
        {base !== null && choices !== null && (
          <>
            <div className="role-parts" role="group" aria-label={text("rights")}>
              {(["menus", "permissions"] as const).map((which) => (
                <Button
                  key={which}
                  type={part === which ? "primary" : "secondary"}
                  aria-pressed={part === which}
                  onClick={() => setPart(which)}
                >
                  {text(which)}
                </Button>
              ))}
            </div>
            {part === "permissions" && builtIn ? (
              <p>{text("allPermissions")}</p>
            ) : (
              <CheckTree
                key={part}
                label={text(part)}
                tree={base.trees[part]}
                checked={choices[part]}
                onChange={(next) => setChoices({ ...choices, [part]: next })}
              />
            )}
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
