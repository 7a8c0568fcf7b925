/** Names of the fleet in words. */
import { useTranslation } from "react-i18next";
import { AppError, ERROR_CATALOGUE, type ErrorCode } from "../../../shared/errors.ts";
import {
  REPORTED_SOCKETS,
  type ReportedSocket,
  UNCAUGHT,
} from "../../../shared/domain/fleet-names.ts";
import { SOCKET_LOSSES, type SocketLoss } from "../../../shared/domain/socket-losses.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FLEET_TEXTS, LOSS_WORDS } from "./texts.ts";

const isCode = (code: string): code is ErrorCode => Object.hasOwn(ERROR_CATALOGUE, code);
const isSocket = (name: string): name is ReportedSocket =>
  (REPORTED_SOCKETS as readonly string[]).includes(name);
const isLoss = (why: string): why is SocketLoss =>
  (SOCKET_LOSSES as readonly string[]).includes(why);

/** Each function returns a name that it does not know unchanged. */
export function useFleetWords() {
  const { t } = useTranslation();
  const text = useTexts(FLEET_TEXTS);
  const loss = useTexts(LOSS_WORDS);
  return {
    error: (code: string): string =>
      code === UNCAUGHT ? text("uncaught") : isCode(code) ? errorText(new AppError(code)) : code,
    socket: (name: string): string => (isSocket(name) ? t(`runtime.socket.${name}`) : name),
    loss: (why: string): string => (isLoss(why) ? loss(why) : why),
  };
}
