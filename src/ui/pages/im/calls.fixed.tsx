/** The person's past calls, with calling back (docs/calls.md#records). */
import { CALL_TYPE } from "../../../shared/domain/call-types.ts";
import { useNavigate } from "react-router-dom";
import { CALL_RESULTS } from "../../../shared/domain/call-results.ts";
import { groupChatId } from "../../../shared/domain/group-chat.ts";
import { formatDuration } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { ListPage } from "../../components/ListPage.tsx";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { CallKind } from "../../features/call-records/CallKind.tsx";
import { CallPeople, peopleText } from "../../features/call-records/CallPeople.tsx";
import { CallQuality, Score } from "../../features/call-records/CallQuality.tsx";
import { CallTime } from "../../features/call-records/CallTime.tsx";
import { CALL_RECORD_TEXTS } from "../../features/call-records/texts.ts";
import { useGroupCall } from "../../features/group-call/useGroupCall.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { useSeesMissedCalls } from "../../state/missed-calls.ts";
import { showError } from "../../state/show-message.ts";

type CallRow = Row<"calls.records">;

const TONES: Readonly<Record<CallRow["result"], Tone>> = {
  answered: "good",
  missed: "bad",
  refused: "off",
  cancelled: "off",
  busy: "warn",
  "no-response": "warn",
  failed: "bad",
};

const lengthOf = ({ answeredAt, endedAt }: CallRow): string | null =>
  answeredAt === null ? null : formatDuration(endedAt - answeredAt);

export default function CallsPage() {
  useSeesMissedCalls();
  const text = useTexts(CALL_RECORD_TEXTS);
  const navigate = useNavigate();
  const { commands } = useCore();
  const groupCall = useGroupCall();
  const { chatUserName: self } = useSlice("session");
  const resultText = (result: CallRow["result"], direction: CallRow["direction"]): string => {
    if (result === "failed") return text("failedCall");
    return text(result === "refused" && direction === "in" ? "refusedIn" : result);
  };
  const mediaText = ({ media, type }: CallRow): string =>
    type === CALL_TYPE.group ? `${text("group")} · ${text(media)}` : text(media);
  const qualityText = ({ quality }: CallRow): string | null => {
    if (quality === null) return null;
    const { loss, rtt, mos } = quality;
    return rtt === null
      ? text("measuredLoss", { loss, mos })
      : text("measured", { loss, rtt, mos });
  };
  const call = (media: "voice" | "video") => (row: CallRow) => {
    const { groupId, people, type, peer, name } = row;
    const others = people.map(({ userName }) => userName).filter((one) => one !== self);
    const called =
      type === CALL_TYPE.group
        ? groupCall.start({ media, groupId, people: others })
        : commands.call.start({ userName: peer, name, media });
    void called.catch(showError);
  };
  return (
    <ListPage
      call="calls.records"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      empty={text("empty")}
      exports={{ name: text("title") }}
      filterBar={[
        {
          key: "direction",
          label: text("direction"),
          options: [
            { value: "in", label: text("in") },
            { value: "out", label: text("out") },
          ],
        },
        {
          key: "result",
          label: text("result"),
          options: CALL_RESULTS.map((value) => ({ value, label: resultText(value, "out") })),
        },
        {
          key: "media",
          label: text("kind"),
          options: [
            { value: "voice", label: text("voice") },
            { value: "video", label: text("video") },
          ],
        },
        {
          key: "type",
          label: text("with"),
          options: [
            { value: "1", label: text("two") },
            { value: "2", label: text("group") },
          ],
        },
      ]}
      renderDetails={({ id, people, answeredAt, endedAt }) => (
        <div className="call-details">
          {people.length > 0 && <CallPeople people={people} />}
          {answeredAt !== null && <CallQuality id={id} endedAt={endedAt} />}
        </div>
      )}
      nameOf={({ name }) => name}
      columns={[
        {
          title: text("person"),
          sort: "name",
          render: ({ name, peer, type }) => (
            <>
              <Avatar name={name} person={type === CALL_TYPE.single ? peer : undefined} size={28} />
              <span className="ellipsis">{name}</span>
            </>
          ),
          cell: ({ name, peer, type }) =>
            type === CALL_TYPE.group || name === peer ? name : `${name} (${peer})`,
          pending: null,
          className: "list-page-person",
          width: "minmax(112px, 1.4fr)",
        },
        {
          key: "kind",
          title: text("kind"),
          render: (row) => (
            <CallKind incoming={row.direction === "in"} direction={text(row.direction)}>
              {mediaText(row)}
            </CallKind>
          ),
          cell: (row) => `${text(row.direction)} · ${mediaText(row)}`,
          width: "minmax(104px, 1fr)",
        },
        {
          key: "participants",
          title: text("participants"),
          render: ({ people }) =>
            people
              .filter(({ enteredAt }) => enteredAt !== null)
              .map(({ name }) => name)
              .join("、") || null,
          cell: ({ people }) => peopleText(people, text("notInside")),
          className: "ellipsis",
          width: "minmax(76px, 1fr)",
        },
        {
          title: text("result"),
          sort: "result",
          render: ({ result, direction }) => (
            <StateDot tone={TONES[result]}>{resultText(result, direction)}</StateDot>
          ),
          cell: ({ result, direction }) => resultText(result, direction),
          width: "minmax(112px, 0.8fr)",
        },
        {
          title: text("time"),
          sort: "startedAt",
          render: ({ startedAt }) => <CallTime at={startedAt} />,
          cell: ({ startedAt }) => new Date(startedAt),
          className: "tnum ellipsis",
          width: "minmax(112px, 0.8fr)",
        },
        {
          title: text("duration"),
          sort: "duration",
          render: lengthOf,
          className: "tnum ellipsis",
          width: "minmax(88px, 0.6fr)",
        },
        {
          key: "quality",
          title: text("quality"),
          render: (row) => {
            if (row.quality === null) return null;
            return (
              <span title={qualityText(row) ?? undefined}>
                <Score mos={row.quality.mos} />
              </span>
            );
          },
          cell: qualityText,
          width: "minmax(100px, 0.6fr)",
        },
      ]}
      rowActions={[
        { label: text("callVoice"), onClick: call("voice") },
        { label: text("callVideo"), onClick: call("video") },
        {
          label: text("message"),
          // The row has no room for it at 1280 px.
          inDetailsAlone: true,
          when: ({ type, groupId }) => type === CALL_TYPE.single || groupId !== null,
          onClick: ({ peer, groupId }) =>
            void navigate(
              `/im/people?chat=${encodeURIComponent(groupId === null ? peer : groupChatId(groupId))}`,
            ),
        },
      ]}
      remove={{
        many: true,
        run: (rows) =>
          commands.rest.call({
            call: "calls.deleteRecords",
            params: { id: rows.map(({ id }) => id).join(",") },
          }),
      }}
    />
  );
}
