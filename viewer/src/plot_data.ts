/** Rows that keep the shape of all columns together: evenly spread ones, at most `most`, the last among them. */
export function spreadRows(count: number, most: number): number[] {
  const stride = Math.max(1, Math.ceil(count / most));
  const rows: number[] = [];
  for (let k = 0; k < count; k += stride) rows.push(k);
  if (count > 0 && rows[rows.length - 1] !== count - 1) rows.push(count - 1);
  return rows;
}

/** A measured table: the first column is the time [s], others by their heads. Throws Error naming the line. */
export function parseCsv(text: string): { heads: string[]; columns: number[][] } {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length < 2) throw new Error('the file holds no rows');
  const heads = lines[0].split(/[,;\t]/).map((word) => word.trim().replace(/^"|"$/g, ''));
  const columns: number[][] = heads.map(() => []);
  lines.slice(1).forEach((line, index) => {
    const words = line.split(/[,;\t]/);
    if (words.length !== heads.length) throw new Error(`line ${index + 2} has ${words.length} columns, the head has ${heads.length}`);
    words.forEach((word, k) => {
      const value = word.trim() === '' ? Number.NaN : Number(word);
      if (k === 0 && !Number.isFinite(value)) throw new Error(`line ${index + 2}: the time "${word}" is no number`);
      columns[k].push(value);
    });
  });
  return { heads, columns };
}
