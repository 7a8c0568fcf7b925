/** Who has read an own message in a group, and who has not (docs/chat.md#receipts). */
import { Button, Radio } from "@arco-design/web-react";
import "@arco-design/web-react/es/Radio/style/css.js";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/Dialog.tsx";
import type { CoreClient } from "../../../../core-client/contracts.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useAsked } from "../../../state/useAsked.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import "../../contacts/groups.css";
import { CloseButtons } from "../../../components/dialog/DialogButtons.tsx";

/** People that are shown at first, and by each click on more. */
const PAGE = 50;

interface Reader {
  readonly userName: string;
  readonly name: string;
  readonly avatar: string;
}
interface Found {
  readonly read: readonly Reader[];
  readonly unread: readonly Reader[];
}

async function readersOf(core: CoreClient, groupId: string, mid: string): Promise<Found> {
  const [readers, members] = await Promise.all([
    core.commands.group.readers({ groupId, mid }),
    core.commands.group.members({ groupId }),
  ]);
  const known = new Map(
    members.map((m) => [
      m.userName,
      { userName: m.userName, name: m.card || m.name, avatar: m.avatar },
    ]),
  );
  const names = new Set(readers.map(({ userName }) => userName));
  const self = core.state.session.chatUserName;
  return {
    // who has left the group since then has read it nevertheless
    read: readers.map((r) => known.get(r.userName) ?? { ...r, avatar: "" }),
    unread: [...known.values()].filter((m) => !names.has(m.userName) && m.userName !== self),
  };
}

export function GroupReaders(props: {
  readonly groupId: string;
  readonly mid: string;
  readonly onClose: () => void;
}) {
  const { groupId, mid } = props;
  const { t } = useTranslation();
  const text = useTexts(CHAT_TEXTS);
  const core = useCore();
  const { found, failure, again } = useAsked(`${groupId} ${mid}`, () =>
    readersOf(core, groupId, mid),
  );
  const [shown, setShown] = useState<keyof Found>("read");
  const [pages, setPages] = useState(1);
  const remark = useRemarks();
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const list = found?.[shown] ?? [];
  return (
    <Dialog
      visible
      title={text("readers")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <LoadNote missing={found === null} failure={failure} onRetry={again} />
      {found !== null && (
        <>
          <Radio.Group
            type="button"
            size="small"
            aria-label={text("readers")}
            value={shown}
            onChange={(next: keyof Found) => {
              setShown(next);
              setPages(1);
            }}
            options={[
              { value: "read", label: text("hasRead", { count: found.read.length }) },
              { value: "unread", label: text("hasNotRead", { count: found.unread.length }) },
            ]}
          />
          {list.length === 0 && (
            <p className="contacts-note">
              {text(shown === "read" ? "readByNone" : "readByEverybody")}
            </p>
          )}
          <ul className="group-inbox group-readers" aria-label={text("readers")}>
            {list.slice(0, pages * PAGE).map(({ userName, name, avatar }) => (
              <li key={userName}>
                <Avatar name={name} src={avatar} size={32} />
                <span className="group-inbox-text ellipsis">{remark(userName, name)}</span>
              </li>
            ))}
          </ul>
          {list.length > pages * PAGE && (
            <div className="contacts-note">
              <Button size="small" onClick={() => setPages((n) => n + 1)}>
                {t("common.more")}
              </Button>
            </div>
          )}
        </>
      )}
      <CloseButtons onClose={props.onClose} />
    </Dialog>
  );
}
