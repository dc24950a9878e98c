/** What systemd makes of the lines of a setting whose words all stand in quotes: see systemd.syntax(7). */
export function unitWords(unit: string, setting: 'ExecStart' | 'Environment'): string[] {
  const lines = unit.split('\n').filter((line) => line.startsWith(`${setting}=`))
  return lines
    .flatMap((line) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text))
    .map((text) => text.replaceAll(/\\(.)/g, (_whole, letter: string) => escapes[letter] ?? letter))
    .map((text) => text.replaceAll('%%', '%'))
    .map((text) => (setting === 'ExecStart' ? text.replaceAll('$$', () => '$') : text))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
