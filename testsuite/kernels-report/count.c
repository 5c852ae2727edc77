/* SPDX-License-Identifier: MIT
   Machine instructions, counted from a cubin: an ELF file with a section ".text.NAME" for each kernel, 16 bytes an
   instruction.  Behind a kernel's last one, a jump to itself and then nothing at all fill up to a multiple.  */
#include "report.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  INSTRUCTION_LEN = 16,
  CODE_MASK = 0xfff, /* of an instruction's first two bytes */
  CODE_NOTHING = 0x918,
  KIND_MASK = 0x1ff, /* of its code: what it does; the rest says with what */
  KIND_LOAD = 0x180, /* of any memory, of global memory; stores likewise */
  KIND_LOAD_GLOBAL = 0x181,
  KIND_STORE = 0x185,
  KIND_STORE_GLOBAL = 0x186,
  CODE_JUMP = 0x947
};

struct file
{
  unsigned char *bytes;
  size_t len;
};

static bool
read_file (const char *path, struct file *file)
{
  FILE *stream = fopen (path, "rb");
  long len = -1;
  if (stream != NULL && fseek (stream, 0, SEEK_END) == 0)
    len = ftell (stream);
  file->bytes = len > 0 ? malloc ((size_t) len) : NULL;
  file->len = len > 0 ? (size_t) len : 0;
  bool is_read = file->bytes != NULL && fseek (stream, 0, SEEK_SET) == 0
		 && fread (file->bytes, 1, file->len, stream) == file->len;
  if (stream != NULL)
    fclose (stream);
  return is_read;
}

static unsigned
code_of (const unsigned char *instruction)
{
  return (instruction[0] | (unsigned) instruction[1] << 8) & CODE_MASK;
}

/* How many of the N instructions at CODE are the kernel's.  */
static size_t
without_filling (const unsigned char *code, size_t n)
{
  while (n > 0 && code_of (code + (n - 1) * INSTRUCTION_LEN) == CODE_NOTHING)
    n--;
  return n > 0 && code_of (code + (n - 1) * INSTRUCTION_LEN) == CODE_JUMP ? n - 1 : n;
}

/* How many of the N instructions at CODE load or store.  */
static size_t
n_accesses (const unsigned char *code, size_t n)
{
  size_t n_found = 0;
  for (size_t i = 0; i < n; i++)
    {
      unsigned is = code_of (code + i * INSTRUCTION_LEN) & KIND_MASK;
      n_found += is == KIND_LOAD || is == KIND_LOAD_GLOBAL || is == KIND_STORE || is == KIND_STORE_GLOBAL;
    }
  return n_found;
}

bool
count_instructions (const char *path)
{
  struct file file;
  const Elf64_Ehdr *head;
  if (!read_file (path, &file) || file.len < sizeof *head || memcmp (file.bytes, ELFMAG, SELFMAG) != 0)
    return false;
  head = (const Elf64_Ehdr *) file.bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (file.bytes + head->e_shoff);
  if (head->e_shoff + head->e_shnum * sizeof *sections > file.len || head->e_shstrndx >= head->e_shnum)
    return false;
  const char *names = (const char *) file.bytes + sections[head->e_shstrndx].sh_offset;
  for (unsigned s = 0; s < head->e_shnum; s++)
    {
      const char *name = names + sections[s].sh_name;
      const unsigned char *code = file.bytes + sections[s].sh_offset;
      if (strncmp (name, ".text.", 6) != 0)
	continue;
      size_t n = without_filling (code, sections[s].sh_size / INSTRUCTION_LEN);
      printf ("%s\t%zu\t%zu\n", name + 6, n, n_accesses (code, n));
    }
  free (file.bytes);
  return true;
}
