/** One member of a group, with what this person may do to them behind a button. */
import { Button } from "@arco-design/web-react";
import { IconMore } from "@arco-design/web-react/icon";
import { useState } from "react";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { FormDialog } from "../../../components/form/FormDialog.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useCore } from "../../../state/services.ts";
import { showError } from "../../../state/show-message.ts";
import { GROUP_TEXTS, useConfirm } from "../common/group-texts.ts";
import type { GroupMember } from "../../contacts/useGroupMembers.ts";

const MINUTE = 60_000;
/** ms for which somebody may be muted; -1 has no end. */
const MUTES = [
  ["10m", 10 * MINUTE],
  ["1h", 60 * MINUTE],
  ["1d", 24 * 60 * MINUTE],
  ["ever", -1],
] as const;

export function GroupMemberRow(props: {
  readonly group: ChatGroup;
  readonly member: GroupMember;
  readonly self: boolean;
  /** ms since the epoch */
  readonly now: number;
}) {
  const { group, member } = props;
  const { userName, role } = member;
  const name = useRemarks()(userName, member.card === "" ? member.name : member.card);
  const text = useTexts(GROUP_TEXTS);
  const core = useCore();
  const confirm = useConfirm();
  const [open, setOpen] = useState(false);
  const [muting, setMuting] = useState(false);
  const about = { groupId: group.id, userName };
  const owns = group.role === "owner";
  const above = owns || (group.role === "admin" && role === "member");
  const muted = (member.mutedUntil ?? 0) > props.now;
  /** The list of those who may write has a meaning only while all are muted. */
  const canAllow = group.muted && role === "member";
  const mayWrite = canAllow && member.allowed && !muted;
  const run = (done: Promise<unknown>): void => void done.catch(showError);
  const commands = core.commands.group;

  return (
    <div className="group-member" data-open={open}>
      <div className="group-member-line">
        <Avatar name={member.name} src={member.avatar} size={32} />
        <span className="ellipsis group-member-name">
          {name}
          {name !== member.name && <span className="group-quiet">（{member.name}）</span>}
        </span>
        {props.self && <span className="group-tag">{text("you")}</span>}
        {role !== "member" && <span className="group-tag">{text(role)}</span>}
        {muted && (
          <span className="group-tag" data-tone="warn">
            {text("muted")}
          </span>
        )}
        {mayWrite && <span className="group-tag">{text("allowed")}</span>}
        {above && !props.self && (
          <Button
            type="text"
            size="small"
            aria-label={text("manage", { name })}
            aria-expanded={open}
            icon={<IconMore />}
            onClick={() => setOpen((now) => !now)}
          />
        )}
      </div>
      {open && above && !props.self && (
        <div className="group-member-acts">
          {owns && (
            <Button
              size="mini"
              onClick={() => run(commands.setAdmin({ ...about, admin: role !== "admin" }))}
            >
              {text(role === "admin" ? "removeAdmin" : "makeAdmin")}
            </Button>
          )}
          {muted ? (
            <Button size="mini" onClick={() => run(commands.mute({ ...about, ms: null }))}>
              {text("unmute")}
            </Button>
          ) : (
            <Button size="mini" onClick={() => setMuting(true)}>
              {text("mute")}
            </Button>
          )}
          {canAllow && (
            <Button
              size="mini"
              onClick={() => run(commands.allow({ ...about, allowed: !member.allowed }))}
            >
              {text(member.allowed ? "disallow" : "allow")}
            </Button>
          )}
          {owns && (
            <Button
              size="mini"
              onClick={() =>
                confirm(text("transfer"), text("transferAsk", { name }), () =>
                  commands.transfer(about),
                )
              }
            >
              {text("transfer")}
            </Button>
          )}
          <Button
            size="mini"
            status="danger"
            onClick={() =>
              confirm(text("block"), text("blockAsk", { name }), () =>
                commands.block({ ...about, blocked: true }),
              )
            }
          >
            {text("block")}
          </Button>
          <Button
            size="mini"
            status="danger"
            onClick={() =>
              confirm(text("remove", { name }), text("removeAsk", { name }), () =>
                commands.remove(about),
              )
            }
          >
            {text("removeShort")}
          </Button>
        </div>
      )}
      {muting && (
        <FormDialog
          title={text("muteOf", { name })}
          fields={[
            {
              key: "time",
              label: text("muteTime"),
              input: "select",
              required: true,
              options: MUTES.map(([key]) => ({ value: key, label: text(`mute-${key}`) })),
            },
          ]}
          values={{ time: "10m" }}
          okText={text("mute")}
          save={({ time }) =>
            commands.mute({ ...about, ms: MUTES.find(([key]) => key === time)?.[1] ?? -1 })
          }
          onClose={() => setMuting(false)}
        />
      )}
    </div>
  );
}
