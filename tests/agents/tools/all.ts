import { claude } from './claude.ts'
import { codex } from './codex.ts'
import type { Tool } from './tool.ts'

export const tools: readonly Tool[] = [claude, codex]
