/** The dialog that begins a group call, and the one that invites more people into it. */
import { Button, Modal } from "@arco-design/web-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { GROUP_CALL_PEOPLE } from "../../../shared/protocol/rest/group-calls.ts";
import { CameraIcon, PhoneIcon } from "../../components/call-icons.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice, useSlice } from "../../state/services.ts";
import { PeopleChooser } from "./PeopleChooser.tsx";
import { GROUP_CALL_TEXTS } from "./texts.ts";
import { type GroupCallActions, useGroupCall } from "./useGroupCall.ts";
import "../contacts/groups.css";
import "./group-call.css";

interface Choice {
  readonly label: string;
  readonly icon: ReactNode;
  readonly run: (people: readonly string[]) => Promise<void>;
}

function ChooseDialog(props: {
  readonly title: string;
  readonly groupId: string | null;
  readonly without: ReadonlySet<string>;
  /** The first is the usual one. */
  readonly choices: readonly Choice[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const text = useTexts(GROUP_CALL_TEXTS);
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [usual] = props.choices;
  const run = async ({ label, run: work }: Choice): Promise<void> => {
    if (busy !== null) return;
    if (chosen.size > GROUP_CALL_PEOPLE) {
      return setFailure(text("tooMany", { max: GROUP_CALL_PEOPLE }));
    }
    setBusy(label);
    setFailure(null);
    try {
      await work([...chosen.keys()]);
      props.onClose();
    } catch (error) {
      setFailure(errorText(error));
      setBusy(null);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (usual !== undefined && chosen.size > 0) void run(usual);
  };
  return (
    <Modal
      visible
      title={props.title}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <form className="group-form" noValidate onSubmit={submit}>
        <PeopleChooser
          groupId={props.groupId}
          without={props.without}
          chosen={chosen}
          onChange={(next) => {
            setFailure(null);
            setChosen(next);
          }}
        />
        <p className="group-chosen" aria-live="polite">
          {text("chosen", { count: chosen.size })}
          {chosen.size > 0 && `：${[...chosen.values()].join("、")}`}
        </p>
        {failure !== null && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <footer className="form-buttons">
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          {props.choices.toReversed().map((choice) => (
            <Button
              key={choice.label}
              type={choice === usual ? "primary" : "secondary"}
              icon={choice.icon}
              disabled={chosen.size === 0}
              loading={busy === choice.label}
              onClick={() => void run(choice)}
            >
              {choice.label}
            </Button>
          ))}
        </footer>
      </form>
    </Modal>
  );
}

/** Begins a call. @param props.media the kind that was clicked; null: the person chooses here */
export function StartCallDialog(props: {
  readonly groupId: string | null;
  readonly media: "voice" | "video" | null;
  readonly onClose: () => void;
}) {
  const { groupId, media } = props;
  const text = useTexts(GROUP_CALL_TEXTS);
  const actions = useGroupCall();
  const choice = (kind: "voice" | "video"): Choice => ({
    label: text(kind === "voice" ? "startVoice" : "startVideo"),
    icon: kind === "voice" ? <PhoneIcon /> : <CameraIcon />,
    run: (people) => actions.start({ media: kind, groupId, people }),
  });
  return (
    <ChooseDialog
      title={text(media === null ? "start" : media)}
      groupId={groupId}
      without={new Set()}
      choices={media === null ? [choice("video"), choice("voice")] : [choice(media)]}
      onClose={props.onClose}
    />
  );
}

/** Adds people to the call of two that is on, which becomes a group call. */
export function AddPeople(props: { readonly onClose: () => void }) {
  const text = useTexts(GROUP_CALL_TEXTS);
  const actions = useGroupCall();
  const { peer } = useSlice("call");
  return (
    <ChooseDialog
      title={text("add")}
      groupId={null}
      without={new Set(peer === null ? [] : [peer.userName])}
      choices={[{ label: text("ring"), icon: <PhoneIcon />, run: actions.grow }]}
      onClose={props.onClose}
    />
  );
}

/** Invites more people into the present call. */
export function InvitePeople(props: {
  readonly actions: GroupCallActions;
  readonly onClose: () => void;
}) {
  const text = useTexts(GROUP_CALL_TEXTS);
  const { info } = useSlice("groupCall");
  const { members } = useFrozenSlice("conference");
  const inside = new Set(Object.values(members).map(({ memName }) => memName));
  return (
    <ChooseDialog
      title={text("inviteTitle")}
      groupId={info?.groupId ?? null}
      without={inside}
      choices={[{ label: text("ring"), icon: <PhoneIcon />, run: props.actions.invite }]}
      onClose={props.onClose}
    />
  );
}
