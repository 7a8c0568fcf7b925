/** A picture of the company's files, large. Loaded when the first one is opened. */
import { useEffect } from "react";
import PicturePreview from "../../components/preview/PicturePreview.tsx";

export default function StoredPicture(props: {
  readonly name: string;
  /** An address of its content, which is given back when the picture is closed. */
  readonly src: string;
  readonly onClose: () => void;
}) {
  const { name, src, onClose } = props;
  useEffect(() => () => URL.revokeObjectURL(src), [src]);
  return <PicturePreview pictures={[{ key: src, name, src }]} index={0} onClose={onClose} />;
}
