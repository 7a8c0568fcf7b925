/** The sample request and the sample response of IPv4 of RFC 5769, 2.1 and 2.2. */

export const RFC_PASSWORD = "VOkJxbRl1RmTxUk/WvJxBt";

const bytes = (hex: string) => (): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");

export const REQUEST = bytes(`
  00010058 2112a442 b7e7a701 bc34d686 fa87dfae
  80220010 5354554e 20746573 7420636c 69656e74
  00240004 6e0001ff
  80290008 932ff9b1 51263b36
  00060009 6576746a 3a683676 59202020
  00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
  80280004 e57a3bcf`);

export const RESPONSE = bytes(`
  0101003c 2112a442 b7e7a701 bc34d686 fa87dfae
  8022000b 74657374 20766563 746f7220
  00200008 0001a147 e112a643
  00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7
  80280004 c07d4c96`);
