/** First step: choose a file by drop, click or keyboard, or download the template. */
import { Button, Spin } from "@arco-design/web-react";
import { IconDownload, IconImport } from "@arco-design/web-react/icon";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { spawnImportWorker } from "../../../core-client/import-worker.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { saveBlob } from "../../state/save.ts";
import type { ImportModel } from "./model-contracts.ts";
import { useImportView } from "./useImportModel.ts";

const ACCEPT = ".xlsx,.xls,.csv,.txt";

export function FileStep({ model }: { readonly model: ImportModel }) {
  const { t } = useTranslation();
  const core = useCore();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [making, setMaking] = useState(false);
  const { busy, fileName, preview } = useImportView(model);
  const opening = busy === "open" || (busy !== null && preview === null);
  const openFile = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) model.choose(file);
  };
  const template = async (): Promise<void> => {
    setMaking(true);
    const worker = spawnImportWorker(core);
    try {
      const context = await core.commands.imports.context({});
      saveBlob(await worker.api.template(context), t("imports.file.templateName"));
    } catch (error) {
      showError(error);
    } finally {
      worker.terminate();
      setMaking(false);
    }
  };
  return (
    <div className="import-file">
      <div
        className="import-drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          openFile(event.dataTransfer.files);
        }}
      >
        {opening ? (
          <div className="import-opening" role="status">
            <Spin />
            <p>{t("imports.file.opening")}</p>
            <p className="ellipsis">{fileName}</p>
            <Button onClick={() => model.stop()}>{t("common.cancel")}</Button>
          </div>
        ) : (
          <>
            <IconImport className="import-drop-icon" aria-hidden="true" />
            <p className="import-drop-title">{t("imports.file.drop")}</p>
            <p className="import-hint">{t("imports.file.kinds")}</p>
            <Button type="primary" onClick={() => input.current?.click()}>
              {t("imports.file.choose")}
            </Button>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept={ACCEPT}
          data-testid="import-file"
          aria-label={t("imports.file.choose")}
          onChange={(event) => {
            openFile(event.target.files);
            // otherwise choosing the same file again would fire no change event
            event.target.value = "";
          }}
        />
      </div>
      <div className="import-template">
        <Button icon={<IconDownload />} loading={making} onClick={() => void template()}>
          {t("imports.file.template")}
        </Button>
        <span className="import-hint">{t("imports.file.templateHint")}</span>
      </div>
    </div>
  );
}
