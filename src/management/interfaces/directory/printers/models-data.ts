/** Makes and models that `listPrinterModels` shows: a few of what the vendor has, with names as its documents write them. */
export const PRINTER_MODELS: readonly { manufacturer: string; displayName: string; makeAndModel: string }[] = [
  ['Brother', 'DCP-L2540DW'],
  ['Brother', 'HL-L2350DW'],
  ['Brother', 'MFC-8840D'],
  ['Brother', 'MFC-J5910DW'],
  ['Canon', 'MF620C'],
  ['Epson', 'ET-2750'],
  ['Epson', 'WF-3720'],
  ['HP', 'Color LaserJet MFP M477'],
  ['HP', 'LaserJet 4250'],
  ['HP', 'OfficeJet Pro 8710'],
  ['Kyocera', 'ECOSYS M2540dn'],
  ['Lexmark', 'MS610de'],
  ['Lexmark', 'CX510'],
  ['Ricoh', 'MP C3003'],
  ['Samsung', 'M2020'],
  ['Xerox', 'Phaser 6510'],
  ['Xerox', 'WorkCentre 6515'],
].map(([manufacturer = '', model = '']) => {
  const displayName = `${manufacturer} ${model}`;
  return { manufacturer, displayName, makeAndModel: displayName.toLowerCase() };
});
