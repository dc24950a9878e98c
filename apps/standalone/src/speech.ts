import { styleText } from 'node:util'

type Tone = 'dim' | 'bold' | 'green' | 'yellow'

/** On the terminal; colour only where it is one and NO_COLOR is unset. */
export function say(text: string, tone?: Tone): void {
  process.stdout.write(`${tone ? styleText(tone, text, { stream: process.stdout }) : text}\n`)
}

export function sayError(text: string): void {
  process.stderr.write(`${styleText('yellow', 'svc:', { stream: process.stderr })} ${text}\n`)
}
