/** What may be uploaded, and what is said about the rest (docs/session.md#upload-rules). Pure. */
import { UPLOAD_LIMITS } from "../../../shared/protocol/rest/files.ts";
import { textOf, texts } from "../../i18n/texts.ts";

export interface UploadRules {
  /** Found in the MIME type or in the ending of the name; none: every type. */
  readonly types: readonly string[];
  readonly files: number;
  readonly megabytes: number;
  /** The texts are those of pictures. */
  readonly pictures: boolean;
}

export const FILE_RULES: UploadRules = {
  ...UPLOAD_LIMITS,
  types: ["doc", "xls", "ppt", "txt", "pdf"],
  pictures: false,
};
export const PICTURE_RULES: UploadRules = {
  ...UPLOAD_LIMITS,
  types: ["png", "jpg", "jpeg"],
  pictures: true,
};

export const UPLOAD_TEXTS = texts({
  fileType: [
    "文件格式不正确，请上传 {{types}} 格式文件！",
    "file format incorrect, please upload {{types}} format files!",
  ],
  heic: [
    "不支持 HEIC 图片，请在手机相机设置中选择“兼容性最佳”，或转换为 jpg 后上传！",
    "HEIC pictures are not supported: choose “Most Compatible” in the camera settings of the phone, or convert it to jpg!",
  ],
  fileSize: ["上传文件大小不能超过 {{n}} MB！", "uploaded file size cannot exceed {{n}} MB!"],
  count: ["上传文件数量不能超过 {{n}} 个！", "uploaded file count cannot exceed {{n}}!"],
  fileFailed: ["上传失败，请重试", "upload failed, please retry"],
  done: ["上传成功", "upload successful"],
  pictureSize: [
    "上传头像图片大小不能超过 {{n}} MB！",
    "uploaded avatar image size cannot exceed {{n}} MB!",
  ],
  pictureFailed: ["上传失败", "upload failed"],
});

/** What the rules look at in a file. */
export type Offered = Pick<File, "name" | "type" | "size">;
interface OfType {
  readonly key: "fileType";
  readonly values: { readonly types: string };
}
interface OfNumber {
  readonly key: "fileSize" | "pictureSize" | "count";
  readonly values: { readonly n: number };
}
/** A picture as phones keep it, which most browsers cannot show. */
interface OfPhone {
  readonly key: "heic";
}
export type Said = OfType | OfNumber | OfPhone;

export function saidText(said: Said): string {
  switch (said.key) {
    case "heic":
      return textOf(UPLOAD_TEXTS, said.key);
    case "fileType":
      return textOf(UPLOAD_TEXTS, said.key, said.values);
    default:
      return textOf(UPLOAD_TEXTS, said.key, said.values);
  }
}

const endingOf = (name: string): string =>
  name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";

/** Whether a type is found in the MIME type or in the ending. */
export const isOfTypes = ({ name, type }: Offered, types: readonly string[]): boolean =>
  types.length === 0 ||
  types.some((wanted) => type.toLowerCase().includes(wanted) || endingOf(name).includes(wanted));

/** What is wrong with one file; null when nothing is. */
function wrongWith(file: Offered, { types, megabytes, pictures }: UploadRules): Said | null {
  const isOfPhone = /^image\/hei[cf]/.test(file.type) || /^hei[cf]$/.test(endingOf(file.name));
  if (pictures && isOfPhone) return { key: "heic" };
  const isPicture = !pictures || file.type === "" || file.type.startsWith("image/");
  if (!isPicture || !isOfTypes(file, types)) {
    return { key: "fileType", values: { types: types.join("/") } };
  }
  if (file.size > megabytes * 1024 * 1024) {
    return { key: pictures ? "pictureSize" : "fileSize", values: { n: megabytes } };
  }
  return null;
}

/**
 * @param have how many files there are already
 * @returns the files that may be uploaded, and what to say about the others; equal texts once
 */
export function checkOffered<F extends Offered>(
  offered: readonly F[],
  have: number,
  rules: UploadRules,
): { readonly taken: readonly F[]; readonly said: readonly Said[] } {
  const said = new Map<string, Said>();
  const good = offered.filter((file) => {
    const wrong = wrongWith(file, rules);
    if (wrong !== null) said.set(wrong.key, wrong);
    return wrong === null;
  });
  const free = Math.max(0, rules.files - have);
  if (good.length > free) said.set("count", { key: "count", values: { n: rules.files } });
  return { taken: good.slice(0, free), said: [...said.values()] };
}
