/** Assistants whose answers send people, and the hosts of theirs that are named as referrer or in `utm_source`. */
export const edgeAssistants = [
  { name: 'ChatGPT', hosts: ['chatgpt.com', 'chat.openai.com'] },
  { name: 'Perplexity', hosts: ['perplexity.ai'] },
  { name: 'Gemini', hosts: ['gemini.google.com', 'bard.google.com'] },
  { name: 'Copilot', hosts: ['copilot.microsoft.com', 'copilot.com'] },
  { name: 'Claude', hosts: ['claude.ai'] },
  { name: 'DeepSeek', hosts: ['chat.deepseek.com'] },
  { name: 'Mistral', hosts: ['chat.mistral.ai'] },
  { name: 'Grok', hosts: ['grok.com'] },
  { name: 'Meta AI', hosts: ['meta.ai'] },
  { name: 'You.com', hosts: ['you.com'] },
] as const;
