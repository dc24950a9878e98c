import { z } from 'zod'
import { maskTokens } from './token-form.ts'

/** What people and agents write in words: a token of ours that got into it is masked before anything else is done. */
export const freeText = () => z.string().overwrite(maskTokens)

/** Whether anything of it shows: what is found by a name of zero-width characters alone is a row that nobody can click. */
export function hasVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** The same of a value of JSON, of at most so many bytes as it is written out. */
export function freeJson<Value extends z.ZodType>(schema: Value, mostBytes: number) {
  return (
    schema
      // a mask stands inside of a text, so what was JSON stays so, and of the same shape
      .overwrite((value) => JSON.parse(maskTokens(JSON.stringify(value))) as z.output<Value>)
      .refine((value) => bytesOf(value) <= mostBytes, {
        message: `keep it within ${mostBytes / 1024} KiB of JSON`,
      })
  )
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}
