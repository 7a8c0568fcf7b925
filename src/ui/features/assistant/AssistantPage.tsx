/** /ai (docs/session.md#ai-assistant): leads to the AI assistant, or says how to configure it. */
import { Button } from "@arco-design/web-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppError } from "../../../shared/errors.ts";
import { errorText } from "../../i18n/index.ts";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";

const TEXTS = texts({
  title: ["AI 安全服务助手", "AI safety assistant"],
  hint: [
    "助手是独立的系统，将在新页面中以您的身份打开。",
    "The assistant is a system of its own. It opens in a new tab and knows who you are.",
  ],
  open: ["打开助手", "Open the assistant"],
  noneTitle: ["尚未配置 AI 助手", "No AI assistant is configured"],
  noneHint: [
    "请平台管理员为服务器设置环境变量 AI_URL（助手的 https 地址）和 AI_SECRET（与助手共享的密钥，至少 32 个字符），然后重新启动。",
    "The platform's administrator sets the server's environment variables AI_URL (the assistant's https address) and AI_SECRET (a secret of at least 32 characters, shared with the assistant), and starts it again.",
  ],
  failed: ["AI 助手的状态未能加载", "The assistant's state could not be loaded"],
});

type State = "loading" | "ready" | "none" | AppError;

export default function AssistantPage() {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const { rest } = useCore().commands;
  const [state, setState] = useState<State>("loading");
  const [busy, setBusy] = useState(false);
  const load = useCallback(
    () =>
      rest.call({ call: "assistant.open" }).then(
        ({ url }) => setState(url === null ? "none" : "ready"),
        (error: unknown) => setState(AppError.from(error)),
      ),
    [rest],
  );
  useEffect(() => void load(), [load]);
  const open = async (): Promise<void> => {
    setBusy(true);
    try {
      // the token of the first answer may have run out
      const { url } = await rest.call({ call: "assistant.open" });
      if (url === null) setState("none");
      else window.open(url, "_blank", "noopener,noreferrer");
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  if (state === "loading") {
    return <PlainPage inner waits icon="robot" title={text("title")} hint={t("common.loading")} />;
  }
  if (state === "none") {
    return <PlainPage inner icon="robot" title={text("noneTitle")} hint={text("noneHint")} />;
  }
  if (state === "ready") {
    return (
      <PlainPage inner icon="robot" title={text("title")} hint={text("hint")}>
        <Button type="primary" loading={busy} onClick={() => void open()}>
          {text("open")}
        </Button>
      </PlainPage>
    );
  }
  return (
    <PlainPage inner icon="broken" title={text("failed")} hint={errorText(state)}>
      <Button
        type="primary"
        onClick={() => {
          setState("loading");
          void load();
        }}
      >
        {t("common.retry")}
      </Button>
    </PlainPage>
  );
}
