/** What a person reads while another member controls the own camera (docs/conferences.md#remote-camera). */
type Named = Readonly<Record<string, string | number>>;
const named = (zh: string, en: string) => ({
  zh: ({ name }: Named) => `${name}${zh}`,
  en: ({ name }: Named) => `${name} ${en}`,
});

export const CAMERA_NOTICE_TEXTS = {
  "camera.torch-on": named("打开了您的补光灯", "turned your light on"),
  "camera.torch-off": named("关闭了您的补光灯", "turned your light off"),
  "camera.freeze-on": named("定格了您的画面", "froze your picture"),
  "camera.freeze-off": named("恢复了您的画面", "unfroze your picture"),
  "camera.capture": named("用您的摄像头拍了一张照片", "took a picture with your camera"),
  "camera.zoom": named("调整了您画面的缩放", "changed the zoom of your picture"),
  "camera.focus": named("调整了您摄像头的对焦", "changed the focus of your camera"),
  "camera.switch": named("切换了您的摄像头", "switched your camera"),
} as const;
