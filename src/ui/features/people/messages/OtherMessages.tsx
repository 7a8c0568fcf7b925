/** Messages that are neither texts nor files: places, cards of people, and messages of other clients' own kinds. */
import { IconLocation, IconMindMapping } from "@arco-design/web-react/icon";
import { Link } from "react-router-dom";
import type { ChatCustom, ChatPlace } from "../../../../shared/protocol/chat-parts.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";

const mapAddress = ({ latitude, longitude }: NonNullable<ChatPlace["at"]>): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;

export function PlaceMessage({ place }: { readonly place: ChatPlace }) {
  const text = useTexts(CHAT_TEXTS);
  return (
    <div className="message-card">
      <IconLocation aria-hidden="true" />
      <span className="message-card-text">
        <span className="message-card-name">{place.address || text("place")}</span>
        {place.at !== null && (
          <a href={mapAddress(place.at)} target="_blank" rel="noopener noreferrer">
            {text("map")}
          </a>
        )}
      </span>
    </div>
  );
}

export function CustomMessage(props: {
  readonly custom: ChatCustom;
  /** It is the card of a person. */
  readonly card: boolean;
}) {
  const { custom } = props;
  const text = useTexts(CHAT_TEXTS);
  const { uid = "", nickname } = custom.fields;
  if (!props.card) {
    return (
      <div className="message-card">
        <IconMindMapping aria-hidden="true" />
        <span className="message-card-text">
          <span className="message-card-name">{custom.event}</span>
          <span className="message-card-size">{text("custom")}</span>
        </span>
      </div>
    );
  }
  const name = nickname === undefined || nickname === "" ? uid : nickname;
  return (
    <Link
      className="message-card message-person"
      to={{ search: `?${new URLSearchParams({ chat: uid })}` }}
      aria-label={text("openCard", { name })}
    >
      <Avatar name={name} person={uid} size={36} />
      <span className="message-card-text">
        <span className="message-card-name">{name}</span>
        <span className="message-card-size">{text("card")}</span>
      </span>
    </Link>
  );
}
