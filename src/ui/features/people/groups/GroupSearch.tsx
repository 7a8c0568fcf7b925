/** Finds a public group of the person's companies, and enters it or asks to. */
import { Button, Input } from "@arco-design/web-react";
import { IconSearch } from "@arco-design/web-react/icon";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import type { PublicGroup } from "../../../../shared/protocol/rest/im-groups.ts";
import { FormDialog } from "../../../components/form/FormDialog.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";
import { GroupAvatar } from "../../contacts/GroupAvatar.tsx";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import "../../contacts/groups.css";
import { CloseButtons } from "../../../components/dialog/DialogButtons.tsx";

/** ms without a key before the server is asked. */
const PAUSE = 250;

export function GroupSearch(props: {
  /** Opens the conversation of a group. */
  readonly onOpen: (groupId: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const { groups, groupRequests } = useFrozenSlice("chat");
  const [keyword, setKeyword] = useState("");
  const [found, setFound] = useState<{ groups: PublicGroup[]; total: number } | null>(null);
  const [state, setState] = useState<"loading" | "ready" | "failed">("loading");
  const [attempt, setAttempt] = useState(0);
  const [pages, setPages] = useState(1);
  const [asking, setAsking] = useState<PublicGroup | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const page = await core.commands.group.find({ keyword: keyword.trim(), cursor: pages });
        if (!current) return;
        setFound((before) =>
          pages === 1 || before === null
            ? page
            : { groups: [...before.groups, ...page.groups], total: page.total },
        );
        setState("ready");
      } catch {
        if (current) setState("failed");
      }
    }, PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- attempt counts the retry button
  }, [core, keyword, pages, attempt]);

  const enter = async (group: PublicGroup, message: string): Promise<void> => {
    await core.commands.group.join({ groupId: group.id, message });
    if (group.membersonly) showMessage("success", text("asked"));
    else props.onOpen(group.id);
  };
  const act = (group: PublicGroup): void => {
    if (Object.hasOwn(groups, group.id)) return props.onOpen(group.id);
    if (group.membersonly) return setAsking(group);
    setBusy(group.id);
    enter(group, "")
      .catch(showError)
      .finally(() => setBusy(null));
  };
  const applied = new Set(
    groupRequests.filter(({ kind }) => kind === "applied").map(({ groupId }) => groupId),
  );

  return (
    <Dialog
      visible
      title={text("find")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <div className="group-form">
        <Input
          allowClear
          prefix={<IconSearch aria-hidden="true" />}
          aria-label={text("findHint")}
          placeholder={text("findHint")}
          value={keyword}
          maxLength={100}
          onChange={(next) => {
            setKeyword(next);
            setPages(1);
            setState("loading");
          }}
        />
        <div className="group-choice">
          <LoadNote
            missing={state === "loading" && found === null}
            failure={state === "failed" ? text("findFailed") : null}
            onRetry={() => setAttempt((n) => n + 1)}
          />
          {state === "ready" && found?.groups.length === 0 && (
            <p className="contacts-note">{text("findNone")}</p>
          )}
          <ul className="group-inbox" aria-label={text("find")}>
            {(found?.groups ?? []).map((group) => (
              <li key={group.id}>
                <GroupAvatar />
                <div className="group-inbox-text">
                  <p>{group.name}</p>
                  {group.desc !== "" && <p className="group-quiet ellipsis">{group.desc}</p>}
                  <span className="group-quiet">{text("count", { count: group.memberCount })}</span>
                </div>
                {applied.has(group.id) && !Object.hasOwn(groups, group.id) ? (
                  <span className="group-quiet">{text("waiting")}</span>
                ) : (
                  <Button
                    size="small"
                    loading={busy === group.id}
                    aria-label={`${actionOf(group, groups, text)} ${group.name}`}
                    onClick={() => act(group)}
                  >
                    {actionOf(group, groups, text)}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {found !== null && found.groups.length < found.total && (
            <div className="contacts-note">
              <Button size="small" onClick={() => setPages((n) => n + 1)}>
                {t("common.more")}
              </Button>
            </div>
          )}
        </div>
        <CloseButtons onClose={props.onClose} />
      </div>
      {asking !== null && (
        <FormDialog
          title={text("applyTo", { name: asking.name })}
          fields={[{ key: "message", label: text("reason"), input: "area", max: 100 }]}
          values={{ message: "" }}
          okText={text("apply")}
          save={({ message = "" }) => enter(asking, message)}
          onClose={() => setAsking(null)}
        />
      )}
    </Dialog>
  );
}

const actionOf = (
  group: PublicGroup,
  ownGroups: Readonly<Record<string, unknown>>,
  text: ReturnType<typeof useTexts<typeof GROUP_TEXTS>>,
): string => {
  if (Object.hasOwn(ownGroups, group.id)) return text("enter");
  return text(group.membersonly ? "apply" : "join");
};
