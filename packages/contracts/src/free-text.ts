import { z } from 'zod'
import { maskTokens } from './token-form.ts'

/** What people and agents write in words: a token of ours that got into it is masked before anything else is done. */
export const freeText = () => z.string().overwrite(maskTokens)
