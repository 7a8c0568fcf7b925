/** What those who rule a group change about it: its texts, who enters, who may write; and what a member is called in it. */
import { GROUP_CARD_MAX } from "../../../../shared/domain/group-chat.ts";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import type { FormField } from "../../../components/form/kinds.ts";
import { FormDialog } from "../../../components/form/FormDialog.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";

/** Each switch is a choice between two words, which say what it means. */
const SWITCHES = ["approval", "allowInvites", "inviteConfirm", "public"] as const;

const wordOf = (on: boolean): string => (on ? "yes" : "no");

export function GroupSettings(props: { readonly group: ChatGroup; readonly onClose: () => void }) {
  const { group } = props;
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const choice = (key: (typeof SWITCHES)[number] | "muted") => ({
    key,
    label: text(key === "muted" ? "mayWrite" : key),
    input: "select" as const,
    required: true,
    options: (["no", "yes"] as const).map((value) => ({ value, label: text(`${key}-${value}`) })),
  });
  const fields: readonly FormField[] = [
    { key: "name", label: text("name"), required: true, max: 64 },
    { key: "description", label: text("description"), input: "area", max: 500 },
    ...SWITCHES.map(choice),
    choice("muted"),
  ];
  return (
    <FormDialog
      title={text("settings")}
      fields={fields}
      values={{
        name: group.name,
        description: group.description,
        ...Object.fromEntries(SWITCHES.map((key) => [key, wordOf(group[key])])),
        muted: wordOf(group.muted),
      }}
      save={async (_values, { name, description, muted, ...changed }) => {
        const groupId = group.id;
        const switches = Object.fromEntries(
          SWITCHES.filter((key) => changed[key] !== undefined).map((key) => [
            key,
            changed[key] === "yes",
          ]),
        );
        if (name !== undefined || description !== undefined || Object.keys(switches).length > 0) {
          await core.commands.group.settings({ groupId, name, description, ...switches });
        }
        if (muted !== undefined) {
          await core.commands.group.muteAll({ groupId, muted: muted === "yes" });
        }
      }}
      onClose={props.onClose}
    />
  );
}

/** The announcement: those who rule the group edit it. */
export function GroupAnnouncementDialog(props: {
  readonly group: ChatGroup;
  readonly onClose: () => void;
}) {
  const { id: groupId, announcement } = props.group;
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  return (
    <FormDialog
      title={text("announcement")}
      fields={[{ key: "text", label: text("announcement"), input: "area", max: 512 }]}
      values={{ text: announcement }}
      save={({ text: words = "" }) => core.commands.group.announce({ groupId, text: words })}
      onClose={props.onClose}
    />
  );
}

/** What this person is called in the group. */
export function GroupCardDialog(props: {
  readonly group: ChatGroup;
  readonly card: string;
  readonly onClose: () => void;
}) {
  const { id: groupId } = props.group;
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  return (
    <FormDialog
      title={text("card")}
      fields={[{ key: "card", label: text("card"), max: GROUP_CARD_MAX, hint: text("cardHint") }]}
      values={{ card: props.card }}
      save={({ card = "" }) => core.commands.group.setCard({ groupId, card })}
      onClose={props.onClose}
    />
  );
}
