/** Gives Arco's components below it the person's language and size. Load what needs it by lazyPart (lazy-part.tsx). */
import { ConfigProvider } from "@arco-design/web-react";
import zhCN from "@arco-design/web-react/es/locale/zh-CN";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSize } from "../state/services.ts";
// a message must appear without the server too, so its code is loaded with the first part
import "../state/messages.ts";

type Locale = typeof zhCN;

/** Arco's name of each size. */
const ARCO_SIZES = { medium: "default", small: "small", mini: "mini" } as const;

export const loadEnglish = async (): Promise<Locale> =>
  (await import("@arco-design/web-react/es/locale/en-US")).default;

export function ArcoProvider(props: {
  /** Arco's English texts when they are loaded. */
  readonly english: Locale | null;
  readonly children: ReactNode;
}) {
  const { i18n } = useTranslation();
  const [size] = useSize();
  const [english, setEnglish] = useState(props.english);
  const wanted = i18n.language === "en";
  useEffect(() => {
    if (wanted && english === null) void loadEnglish().then(setEnglish, () => undefined);
  }, [wanted, english]);
  return (
    <ConfigProvider locale={wanted && english !== null ? english : zhCN} size={ARCO_SIZES[size]}>
      {props.children}
    </ConfigProvider>
  );
}
