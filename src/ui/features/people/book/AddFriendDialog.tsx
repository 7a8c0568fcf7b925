/** Asks a person to become friends: by user name, or by a colleague whom a search finds. */
import { Input } from "@arco-design/web-react";
import { FRIEND_REASON_MAX } from "../../../../shared/protocol/friend-model.ts";
import { chatUserNameSchema } from "../../../../shared/protocol/rest/entities.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import type { ControlProps } from "../../../components/form/fields.ts";
import { FormDialog } from "../../../components/form/FormDialog.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useFrozenSlice } from "../../../state/services.ts";
import { showMessage } from "../../../state/show-message.ts";
import { FRIEND_TEXTS, useFriendErrors } from "../common/friend-texts.ts";
import { placeOf } from "../choose/PeopleChoice.tsx";
import { useContacts } from "../../contacts/useContacts.ts";

/** People of a search who are shown. */
const SHOWN = 5;

export function AddFriendDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(FRIEND_TEXTS);
  const core = useCore();
  const worded = useFriendErrors();
  const { friends } = useFrozenSlice("chat");
  const already = new Set(friends.list.map(({ userName }) => userName));
  const check = (value: string): string | null => {
    if (!chatUserNameSchema.safeParse(value).success) return text("badName");
    return already.has(value) ? text("already") : null;
  };
  return (
    <FormDialog
      title={text("add")}
      okText={text("send")}
      fields={[
        {
          key: "userName",
          label: text("userName"),
          required: true,
          hint: text("userNameHint"),
          check,
          control: searchNames,
        },
        { key: "message", label: text("message"), input: "area", max: FRIEND_REASON_MAX },
      ]}
      values={{ userName: "", message: "" }}
      save={({ userName = "", message = "" }) =>
        core.commands.friend.add({ userName, message }).catch((error: unknown) => {
          throw worded(error);
        })
      }
      onSaved={() => showMessage("success", text("sent"))}
      onClose={onClose}
    />
  );
}

const searchNames = (props: ControlProps) => <NameSearch {...props} />;

function NameSearch(props: ControlProps) {
  const { value } = props;
  const text = useTexts(FRIEND_TEXTS);
  const { friends } = useFrozenSlice("chat");
  const contacts = useContacts(value);
  const word = value.trim();
  const found = contacts.list
    .filter(
      ({ userName }) =>
        userName !== word && !friends.list.some((friend) => friend.userName === userName),
    )
    .slice(0, SHOWN);
  return (
    <div>
      <Input
        id={props.id}
        value={value}
        maxLength={64}
        autoComplete="off"
        aria-invalid={props.invalid}
        aria-describedby={props.describedBy}
        {...(props.invalid ? { status: "error" } : {})}
        onChange={props.onChange}
      />
      {word !== "" && contacts.state === "ready" && found.length > 0 && (
        <ul className="book-found" aria-label={text("found")}>
          {found.map((person) => (
            <li key={person.userName}>
              <button
                type="button"
                className="group-person card-person"
                onClick={() => props.onChange(person.userName)}
              >
                <Avatar name={person.name} src={person.avatar} size={32} />
                <span className="group-person-text">
                  <span className="ellipsis">{`${person.name}（${person.userName}）`}</span>
                  {placeOf(person) !== "" && (
                    <span className="ellipsis group-person-place">{placeOf(person)}</span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
