import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { qwen } from './qwen.ts'
import type { Tool } from './tool.ts'

export const tools: readonly Tool[] = [claude, codex, gemini, opencode, copilot, qwen]
