// SPDX-License-Identifier: GPL-2.0
/*
 * An SMBus adapter bound from a device tree node { compatible = "fakejetson,i2c"; } whose chips are 16-bit register files, one for
 * each child node. The kernel's own ina3221 driver binds to them as on a Jetson: labels and shunt resistors from the device tree,
 * files at /sys/devices/platform/bus@0/c240000.i2c/i2c-N/N-0040/hwmon/hwmonM.
 *
 * One folder for each adapter: /sys/kernel/debug/fakei2c.N/
 *   poke       write "ADDRESS REGISTER VALUE", in hexadecimal, to set a chip's register as its data sheet has it
 *   fail_addr  with fail_errno > 0: transfers to this address fail with -fail_errno
 *   fail_errno
 *   delay_ms   every transfer takes that long
 *   transfers  how many there were; read only
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/uaccess.h>

#define ADDRESSES 128
#define REGISTERS 256

/* Registers of the INA3221, and the values they have after a reset. */
#define CONFIGURATION 0x00
#define MASK_ENABLE 0x0f
#define MANUFACTURER 0xfe
#define DIE 0xff
#define RESET_BIT 0x8000
#define CONFIGURATION_AFTER_RESET 0x7127
#define CONVERSION_READY 0x0001

struct fakei2c {
	struct i2c_adapter adapter;
	u16 *registers[ADDRESSES];
	u32 fail_addr, fail_errno, delay_ms;
	u64 transfers;
	struct dentry *debug;
};

/* SMBus words are little-endian, the chip is big-endian. */
static void read_word(const u16 *chip, u8 reg, union i2c_smbus_data *data)
{
	u16 value = chip[reg];

	if (reg == MASK_ENABLE)
		value |= CONVERSION_READY;
	data->word = swab16(value);
}

static void write_word(u16 *chip, u8 reg, const union i2c_smbus_data *data)
{
	u16 value = swab16(data->word);

	if (reg == CONFIGURATION && (value & RESET_BIT))
		value = CONFIGURATION_AFTER_RESET;
	chip[reg] = value;
}

static s32 transfer(struct i2c_adapter *adapter, u16 addr, unsigned short flags, char rw, u8 reg, int size,
		    union i2c_smbus_data *data)
{
	struct fakei2c *bus = i2c_get_adapdata(adapter);

	bus->transfers++;
	if (bus->delay_ms)
		msleep(bus->delay_ms);
	if (addr >= ADDRESSES || !bus->registers[addr])
		return -ENXIO;
	if (bus->fail_errno && bus->fail_addr == addr)
		return -(int)bus->fail_errno;
	if (size == I2C_SMBUS_QUICK)
		return 0;
	if (size != I2C_SMBUS_WORD_DATA)
		return -EOPNOTSUPP;
	if (rw == I2C_SMBUS_READ)
		read_word(bus->registers[addr], reg, data);
	else
		write_word(bus->registers[addr], reg, data);
	return 0;
}

static u32 functions(struct i2c_adapter *adapter)
{
	return I2C_FUNC_SMBUS_QUICK | I2C_FUNC_SMBUS_WORD_DATA;
}

static const struct i2c_algorithm algorithm = { .smbus_xfer = transfer, .functionality = functions };

static ssize_t poke_write(struct file *file, const char __user *user, size_t size, loff_t *offset)
{
	struct fakei2c *bus = file->private_data;
	unsigned int addr, reg, value;
	char text[64];

	if (size >= sizeof(text) || copy_from_user(text, user, size))
		return -EINVAL;
	text[size] = 0;
	if (sscanf(text, "%x %x %x", &addr, &reg, &value) != 3)
		return -EINVAL;
	if (addr >= ADDRESSES || reg >= REGISTERS || value > 0xffff || !bus->registers[addr])
		return -EINVAL;
	bus->registers[addr][reg] = value;
	return size;
}

static const struct file_operations poke_operations = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = poke_write,
};

static int make_chips(struct device *dev, struct fakei2c *bus)
{
	struct device_node *node;
	u16 *chip;
	u32 addr;

	for_each_child_of_node(dev->of_node, node) {
		if (of_property_read_u32(node, "reg", &addr) || addr >= ADDRESSES)
			continue;
		chip = devm_kcalloc(dev, REGISTERS, sizeof(*chip), GFP_KERNEL);
		if (!chip) {
			of_node_put(node);
			return -ENOMEM;
		}
		chip[CONFIGURATION] = CONFIGURATION_AFTER_RESET;
		chip[MANUFACTURER] = 0x5449; /* "TI" */
		chip[DIE] = 0x3220;
		bus->registers[addr] = chip;
	}
	return 0;
}

static void make_debug_files(struct fakei2c *bus)
{
	char name[24];

	snprintf(name, sizeof(name), "fakei2c.%d", bus->adapter.nr);
	bus->debug = debugfs_create_dir(name, NULL);
	debugfs_create_file("poke", 0200, bus->debug, bus, &poke_operations);
	debugfs_create_u32("fail_addr", 0644, bus->debug, &bus->fail_addr);
	debugfs_create_u32("fail_errno", 0644, bus->debug, &bus->fail_errno);
	debugfs_create_u32("delay_ms", 0644, bus->debug, &bus->delay_ms);
	debugfs_create_u64("transfers", 0444, bus->debug, &bus->transfers);
}

static int probe(struct platform_device *pdev)
{
	struct fakei2c *bus = devm_kzalloc(&pdev->dev, sizeof(*bus), GFP_KERNEL);
	int rc;

	if (!bus)
		return -ENOMEM;
	rc = make_chips(&pdev->dev, bus);
	if (rc)
		return rc;
	bus->adapter.owner = THIS_MODULE;
	bus->adapter.algo = &algorithm;
	bus->adapter.dev.parent = &pdev->dev;
	bus->adapter.dev.of_node = pdev->dev.of_node;
	strscpy(bus->adapter.name, dev_name(&pdev->dev), sizeof(bus->adapter.name));
	i2c_set_adapdata(&bus->adapter, bus);
	platform_set_drvdata(pdev, bus);
	/* The number comes from the tree's alias, as on a Jetson. */
	rc = i2c_add_adapter(&bus->adapter);
	if (rc)
		return rc;
	make_debug_files(bus);
	return 0;
}

static int remove(struct platform_device *pdev)
{
	struct fakei2c *bus = platform_get_drvdata(pdev);

	debugfs_remove_recursive(bus->debug);
	i2c_del_adapter(&bus->adapter);
	return 0;
}

static const struct of_device_id tree_names[] = { { .compatible = "fakejetson,i2c" }, {} };
/* No MODULE_DEVICE_TABLE: udev must not load this by itself, a test decides when the monitors appear. */
static struct platform_driver fakei2c_driver = {
	.probe = probe,
	.remove = remove,
	.driver = { .name = "fakei2c", .of_match_table = tree_names },
};

module_platform_driver(fakei2c_driver);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An I2C bus of register files from the device tree, for tests");
